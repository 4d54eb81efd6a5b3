"""Plays as the courses' clients do: what one read brings is one message. Ends when the connection does."""

import random
import socket
import sys
import time

host, port, size, spacing, manner, nap = sys.argv[1:7]
size, spacing = int(size), int(spacing)
connection = socket.create_connection((host, int(port)))


def read():
    return [int(word) for word in connection.recv(4096).split()] or sys.exit()


def free_cell(taken):
    while True:
        row, col = random.randrange(rows), random.randrange(size)
        if all((row - r) ** 2 + (col - c) ** 2 >= spacing**2 for r, c in taken):
            return row, col


players, stones, *weight, order = read()
random.seed(order)
rows = size // 4 if manner == "forgetful" else size  # where it soon tries a cell that it has taken itself
connection.sendall(f"old {manner}".encode() + b"\n" * (manner != "bare"))
taken, left = [], stones
while True:
    flag, *numbers = read()
    if flag == 1 and manner == "once":  # as in October 2017, before a match had several games
        time.sleep(float(nap))
        break
    if flag == 1:
        taken, left = [], stones
        continue
    width = 4 if weight else 3
    told = numbers[bool(weight) + players :]
    taken += [tuple(told[at : at + 2]) for at in range(0, len(told) - width + 1, width)]
    cell = free_cell(taken)
    taken += [cell] * (manner != "forgetful")
    words = [*cell, *([int(manner != "zero")] if weight else []), *([order, "moves"] if manner == "extra" else [])]
    connection.sendall(" ".join(map(str, words)).encode() + b"\n" * (manner != "bare"))
    left -= 1
    time.sleep(float(nap) if manner == "slow" and left == 0 else 0)

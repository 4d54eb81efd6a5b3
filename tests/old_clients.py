"""Clients as students wrote them for the protocol of their year: they read packets, and send no line ends."""

import asyncio
import json

from referee_clients import PATIENCE_S, Gone, find_first_free


async def packet(wire):
    """Return the data of one read. Raises Gone at the end."""
    async with asyncio.timeout(PATIENCE_S):
        data = await asyncio.get_running_loop().sock_recv(wire.sock, 4096)
    if not data:
        raise Gone
    return data.decode()


class Player2016:
    """Sends nothing before the first request, finds all stones in each request, and hangs up after the game."""

    def __init__(self, wire, rules):
        self.wire, self.rules, self.said = wire, rules, []

    async def play(self):
        while True:
            words = [int(word) for word in (await packet(self.wire)).split()]
            self.said.append(words)
            if words[0] == 1:
                self.wire.close()
                return self.said
            count = words[1]
            stones = [(words[2 + 3 * number], words[3 + 3 * number]) for number in range(count)]
            row, col = find_first_free(stones, self.rules)
            await self.wire.send(f"{row} {col}")


class Player2018:
    """Reads one JSON object from each packet, sends its name once, and plays one game for each player."""

    def __init__(self, wire, rules, name):
        self.wire, self.rules, self.name, self.said = wire, rules, name, []

    async def come(self):
        """Take the first message, and send a name."""
        game = json.loads(await packet(self.wire))
        self.number, self.players = game["player_number"], game["num_players"]
        await self.wire.send(json.dumps({"player_name": self.name}))

    async def play(self):
        for _ in range(self.players):
            stones = []
            while not (state := json.loads(await packet(self.wire)))["game_over"]:
                self.said.append(state)
                stones += [(int(row), int(col)) for row, col, _ in state["moves"]]
                stones.append(find_first_free(stones, self.rules))
                row, col = stones[-1]
                await self.wire.send(json.dumps({"move_row": row, "move_col": col}))
            self.said.append(state)
        self.wire.close()
        return self.said

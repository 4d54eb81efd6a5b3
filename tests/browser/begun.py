"""Games begun without their form, on the page of a browser that holds their key."""

import json
import urllib.request

from playwright.sync_api import expect

ANN = {"kind": "person", "name": "Ann"}
QUICK = {"size": 1000, "stones": 3, "spacing": 66}


def program(player):
    """Return the seat of a player of the house."""
    return {"kind": "program", "player": player}


def post(arena, path, body):
    request = urllib.request.Request(arena + path, json.dumps(body).encode(), {"Content-Type": "application/json"})
    with urllib.request.urlopen(request) as answer:
        return json.load(answer)


def begin(arena, page, game, rules, *seats, clock=None):
    """Begin a game with a fixed seed, open it with its key, wait for a first move of a person, and return its id."""
    asked = {"game": game, "rules": rules, "seats": seats, "clock": clock, "seed": 1}
    begun = page.request.post(arena + "/api/games", data=asked).json()
    page.add_init_script(f"localStorage.setItem('hinterland.key.{begun['id']}', '{begun['key']}')")
    page.goto(arena + begun["url"])
    if seats[0]["kind"] == "person":
        expect(page.locator(f"{game}-board")).to_have_attribute("data-state", "placing")
    return begun["id"]


def on_board(page, row, col, size=1000):
    """Return where the middle of a cell of gravity is on the screen."""
    box = page.locator("gravity-board .surface").bounding_box()
    return box["x"] + (col + 0.5) * box["width"] / size, box["y"] + (row + 0.5) * box["height"] / size


def get_json(arena, path):
    """Return what the arena answers."""
    with urllib.request.urlopen(arena + path) as answer:
        return json.load(answer)

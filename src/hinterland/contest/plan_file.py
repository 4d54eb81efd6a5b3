"""Plans as TOML files, which people edit until the first game is played."""

from __future__ import annotations

import tomllib
from typing import TYPE_CHECKING, Any

import msgspec
import tomlkit

from hinterland.contest.plan import VERSION, Entrant, Plan, derive_number, hash_secret
from hinterland.errors import BadText, HinterlandError, quote
from hinterland.host.processes.process_limits import ProcessLimits
from hinterland.referee.clock import TimeControl

if TYPE_CHECKING:
    from pathlib import Path

PLAN_FILE = "plan.toml"
SECRET_FILE = "secret.txt"
"""File beside the plan with the secret of a hidden seed; only its owner may read it."""
HEADER = """\
A contest of Hinterland: change what you like until it is run; `hinterland contest run` plays it.
Paths in the players' commands and in rules count from `folder`, as seen from this file, or from beside this file.
"""
MAX_FILE_BYTES = 4 * 1024 * 1024
"""Largest size of a plan's file, enough for a long list of openings."""
MAX_NESTING = 20
"""Greatest depth of nested values; options of rules are a few levels deep at most."""
TOO_NESTED = "it is nested too deeply for a plan"
LINE_COMMENTS = {
    "folder": "paths count from there, as seen from this file",
    "format": "or gauntlet, swiss, knockout, melee, adaptive, sprt; see docs/formats",
    "pairings": "matches of each table in a round; in a match each player starts once",
    "jitter": "number of random first moves in each match, the same in all its games",
    "boards": "whether each pairing has another board, drawn by its seed",
    "commitment": "SHA-256 of the secret from which boards and lots follow",
    "sandbox": "whether programs run without network and without the files of others",
    "memory_mib": "what each program may use",
}
"""Comments written behind lines that people edit, by the name of the line."""


class PlanFile(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, omit_defaults=True):
    """Contents of a plan's file. ``Plan`` documents the fields that are not documented here."""

    contest: str
    """Version of the file format."""
    game: str
    folder: str = ""
    """Folder at which relative paths begin, written relative to the plan's folder; empty: the plan's folder."""
    format: str
    pairings: int = 1
    seed: int = 0
    commitment: str = ""
    """SHA-256 of the secret that takes the place of the seed; empty if there is none."""
    secret: str = ""
    """This secret, once it is no longer hidden."""
    jitter: int = 0
    boards: bool = False
    sandbox: bool = False
    memory_mib: int | None = None
    added: int = 0
    openings: tuple[tuple[tuple[int, ...], ...], ...] = ()
    clock: dict[str, float] = {}
    """Seconds: ``budget`` for a whole game, ``increment`` gained by each move, ``move`` at most for one move."""
    players: dict[str, str]
    """Specs by name."""
    options: dict[str, Any] = {}
    """Options of the format."""
    rules: dict[str, Any] = {}
    vary: dict[str, tuple[Any, ...]] = {}
    tokens: dict[str, str] = {}
    """Token of each player that connects, by name. ``Plan`` has no tokens, so that they do not change its hash."""


def read(folder: Path) -> tuple[Plan, dict[str, str]]:
    """Return the plan of a folder, and the token of each player that connects. Raises BadText that names the fault.

    Programs and boards need not exist, so that a contest can be read on any machine.
    """
    found, plan = _read(folder)
    return plan, found.tokens


def find_paths_folder(folder: Path) -> Path | None:
    """Return the folder at which a plan's relative paths begin; None without a line ``folder``. Raises BadText."""
    named = _read(folder)[0].folder
    return (folder / named).absolute() if named else None


def _read(folder: Path) -> tuple[PlanFile, Plan]:
    path = folder / PLAN_FILE
    try:
        if path.stat().st_size > MAX_FILE_BYTES:
            raise BadText(f"{path} is larger than {MAX_FILE_BYTES >> 20} MiB, which no plan needs")
        text = path.read_text("utf-8")
    except FileNotFoundError:
        raise BadText(f"{path} is not there: `hinterland contest new {folder} GAME PLAYER PLAYER` makes one") from None
    except (OSError, UnicodeDecodeError) as error:
        raise BadText(f"{path} cannot be read: {getattr(error, 'strerror', error)}") from None
    try:
        values = tomllib.loads(text)
        _check_levels(values)
        found = msgspec.convert(values, PlanFile)
        if found.contest != VERSION:
            raise BadText(f"contest should be {VERSION!r}, not {quote(found.contest)}")
        plan = _make_plan(found)
        if found.commitment:
            if found.seed:
                raise BadText("it has a seed and a commitment to a hidden one; leave one of them out")
            secret = found.secret or _read_secret(folder)
            if hash_secret(secret) != found.commitment:
                raise BadText("its secret is not the one whose SHA-256 is written as commitment")
            plan = msgspec.structs.replace(plan, seed=derive_number(secret, "lots"), secret=secret)
        plan.check()
    except RecursionError:
        raise BadText(f"{path}: {TOO_NESTED}") from None
    except (tomllib.TOMLDecodeError, msgspec.ValidationError, HinterlandError) as error:
        raise BadText(f"{path}: {error}") from None
    return found, plan


def _read_secret(folder: Path) -> str:
    path = folder / SECRET_FILE
    try:
        return path.read_text("ascii").strip()
    except (OSError, UnicodeDecodeError) as error:
        reason = getattr(error, "strerror", None) or "it is no secret"
        raise BadText(f"the contest's seed is hidden in {path}, which cannot be read: {reason}") from None


def commit_seed(text: str, commitment: str) -> str:
    """Return the text of a plan's file with a commitment in place of its seed."""
    document = tomlkit.parse(text)
    document.pop("seed", None)
    item = tomlkit.item(commitment)
    item.comment(LINE_COMMENTS["commitment"])
    document.add("commitment", item)
    return tomlkit.dumps(document)


def reveal_seed(text: str, secret: str) -> str:
    """Return the text of a plan's file with the secret of its commitment."""
    document = tomlkit.parse(text)
    if "secret" not in document:
        document.add("secret", secret)
    return tomlkit.dumps(document)


def _check_levels(values: object) -> None:
    """Raise BadText for values nested so deeply that recursive functions would fail."""
    level: list[Any] = [values]
    for _ in range(MAX_NESTING):
        inside = [one.values() if isinstance(one, dict) else one for one in level]
        level = [value for one in inside for value in one if isinstance(value, dict | list)]
        if not level:
            return
    raise BadText(TOO_NESTED)


def format_plan(plan: Plan, tokens: dict[str, str], folder: str = "") -> str:
    """Return the text of a plan's file, with comments. ``folder``: see ``PlanFile.folder``."""
    limits = plan.limits
    whole = PlanFile(
        contest=VERSION, game=plan.game, folder=folder, format=plan.format, pairings=plan.pairings, seed=plan.seed,
        jitter=plan.jitter, boards=plan.boards, sandbox=plan.sandbox, added=plan.added, openings=plan.openings,
        memory_mib=None if limits is None else limits.memory_mib, clock=_clock_seconds(plan.clock),
        players={player.name: player.spec for player in plan.players},
        options=plan.options, rules=plan.rules, vary=plan.vary, tokens=tokens,
    )  # fmt: skip
    document = tomlkit.document()
    for line in HEADER.splitlines():
        document.add(tomlkit.comment(line))
    always = {"pairings": plan.pairings, "seed": plan.seed, "jitter": plan.jitter, "clock": whole.clock}
    values = {**always, **msgspec.to_builtins(whole)}
    for name in sorted(values, key=list(PlanFile.__struct_fields__).index):
        item = tomlkit.item(values[name])
        if name in LINE_COMMENTS:
            item.comment(LINE_COMMENTS[name])
        document.add(name, item)
    return tomlkit.dumps(document)


def add_player(text: str, entrant: Entrant, *, is_later: bool, token: str | None) -> str:
    """Return the text of a plan's file with one player more; the rest of the text stays as people wrote it.

    ``is_later``: whether games have been played already.
    """
    document = tomlkit.parse(text)
    document["players"][entrant.name] = entrant.spec
    if is_later:
        document["added"] = int(document.get("added", 0)) + 1
    if token is not None:
        document.setdefault("tokens", tomlkit.table())[entrant.name] = token
    return tomlkit.dumps(document)


def _make_plan(found: PlanFile) -> Plan:
    return Plan(
        game=found.game, players=tuple(Entrant(*one) for one in found.players.items()), added=found.added,
        format=found.format, options=found.options, pairings=found.pairings, rules=found.rules, vary=found.vary,
        clock=_parse_clock(found.clock), jitter=found.jitter, openings=found.openings, boards=found.boards,
        seed=found.seed, sandbox=found.sandbox,
        limits=None if found.memory_mib is None else ProcessLimits.of_memory(found.memory_mib),
    )  # fmt: skip


def _parse_clock(seconds: dict[str, float]) -> TimeControl:
    known = ("budget", "increment", "move")
    for name, value in seconds.items():
        if name not in known:
            raise BadText(f"a clock has {', '.join(known)}, in seconds, not {quote(name)}")
        if not 0 <= value <= 1e6:
            raise BadText(f"{name} of a clock is from 0 to 1,000,000 seconds, not {quote(value)}")
    ms = {f"{name}_ms": round(value * 1000) for name, value in seconds.items()}
    try:
        return msgspec.convert({"budget_ms": None, **ms}, TimeControl)
    except msgspec.ValidationError as error:
        raise BadText(f"clock: {error}") from None


def _clock_seconds(control: TimeControl) -> dict[str, float]:
    found = {"budget": control.budget_ms, "increment": control.increment_ms or None, "move": control.move_ms}
    return {name: ms / 1000 for name, ms in found.items() if ms is not None}

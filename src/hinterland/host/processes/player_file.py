"""Players that are files: ``./mybot.py`` is a player wherever a player is named.

A file's ending says how it is started. A Python file that defines ``choose`` is started by ``bot_runner``, which speaks
the protocol for it; any other file speaks the protocol itself. Files are read here, never imported.
"""

from __future__ import annotations

import ast
import os
import sys
import warnings
from pathlib import Path, PurePath

from hinterland.errors import ArenaError, quote

RUNNER = "hinterland.host.processes.bot_runner"
CHOOSE = "choose(position, clock, rng)"
COMMANDS: dict[str, tuple[str, ...]] = {
    ".js": ("node", "{file}"),
    ".mjs": ("node", "{file}"),
    ".java": ("java", "{file}"),
    ".jar": ("java", "-jar", "{file}"),
    ".class": ("java", "-cp", "{folder}", "{name}"),
}
"""For each ending, the command that starts such a file."""
ENDINGS = (".py", *COMMANDS)
COMPILED_ENDINGS = (".c", ".cc", ".cpp", ".cs", ".go", ".hs", ".kt", ".rs", ".scala", ".swift", ".zig")
MAX_QUOTED_CHARACTERS = 120


def describe_endings() -> dict[str, str]:
    """Return how a file is started, by its ending."""
    shown = {"file": "FILE", "folder": "FOLDER", "name": "NAME"}
    commands = {ending: " ".join(words).format_map(shown) for ending, words in COMMANDS.items()}
    return {
        ".py": f"a function {CHOOSE} is run by Hinterland's Python; without one: python FILE",
        **commands,
        "any other": "as a program: the file must be executable",
    }


def is_player_file(spec: str) -> bool:
    """Say whether a spec is written as the path of a file: with a slash, or with one of ``ENDINGS``."""
    before, colon, _ = spec.partition(":")
    return "/" in before or (not colon and PurePath(spec).suffix in ENDINGS)


def make_argv(spec: str, folder: Path) -> tuple[str, ...]:
    """Return the command line that starts a file, as seen from ``folder``.

    Raises ArenaError if there is no such file, or if it cannot be a player.
    """
    path = _find_file(spec, folder)
    if path.suffix == ".py":
        starter = ("-P", "-m", RUNNER) if _defines_choose(path, quote(spec, MAX_QUOTED_CHARACTERS)) else ()
        return sys.executable, *starter, str(path)
    if path.suffix in COMMANDS:
        parts = {"file": str(path), "folder": str(path.parent), "name": path.stem}
        return tuple(word.format_map(parts) for word in COMMANDS[path.suffix])
    if path.suffix and not os.access(path, os.X_OK):
        raise ArenaError(f"{quote(spec, MAX_QUOTED_CHARACTERS)} cannot be started; {_advise(path, spec)}")
    return (str(path),)


def is_run_by_runner(argv: tuple[str, ...]) -> bool:
    """Say whether a command line starts a file that leaves the protocol to the runner."""
    return RUNNER in argv


def _find_file(spec: str, folder: Path) -> Path:
    named = quote(spec, MAX_QUOTED_CHARACTERS)
    if not spec.isprintable():  # the spec is also the player's name in records
        raise ArenaError(f"{named} has characters that cannot be printed; rename the file")
    try:
        path = folder.absolute() / Path(spec).expanduser()
        size = path.stat().st_size
    except (FileNotFoundError, NotADirectoryError):
        raise ArenaError(f"no file {named} in {quote(str(folder.absolute()), MAX_QUOTED_CHARACTERS)}") from None
    except (OSError, RuntimeError) as error:  # RuntimeError: no such user for ~
        raise ArenaError(f"{named} cannot be read: {getattr(error, 'strerror', None) or error}") from None
    if path.is_dir():
        raise ArenaError(f"{named} is a directory, not a player; name the file in it")
    if not path.is_file():
        raise ArenaError(f"{named} is not a file")
    if not size:
        raise ArenaError(f"{named} is empty; write a function {CHOOSE} into a Python file, or a program")
    return path


def _advise(path: Path, spec: str) -> str:
    if path.suffix in COMPILED_ENDINGS:
        return f"compile it, and name the program, such as {quote(spec.removesuffix(path.suffix))}"
    return f"write the command, such as 'cmd:INTERPRETER {spec}', or make it executable: chmod +x"


def _defines_choose(path: Path, named: str) -> bool:
    """Say whether a Python file defines ``choose`` at its top level. Raises ArenaError for a fault in the file."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # the file's own, which Python prints when it runs the file
            tree = ast.parse(path.read_bytes())
    except OSError as error:
        raise ArenaError(f"{named} cannot be read: {error.strerror}") from None
    except SyntaxError as error:
        raise ArenaError(f"{named}{_describe_place(error)}") from None
    except (ValueError, RecursionError, MemoryError) as error:
        raise ArenaError(f"{named} is no Python program: {error or type(error).__name__}") from None
    found = [node for node in tree.body if _binds_choose(node)]
    for node in found:
        if isinstance(node, ast.FunctionDef) and not _takes_three(node.args):
            raise ArenaError(
                f"{named}, line {node.lineno}: choose takes other arguments; write {CHOOSE},"
                " or start a program that speaks the protocol itself by 'cmd:python …'"
            )
    return bool(found)


def _binds_choose(node: ast.stmt) -> bool:
    match node:
        case ast.FunctionDef(name="choose"):
            return True
        case ast.ImportFrom(names=names):
            return any((name.asname or name.name) == "choose" for name in names)
        case ast.Assign(targets=targets):
            return any(isinstance(target, ast.Name) and target.id == "choose" for target in targets)
    return False


def _takes_three(args: ast.arguments) -> bool:
    most = len(args.posonlyargs) + len(args.args)
    has_required_names = any(default is None for default in args.kw_defaults)
    return most - len(args.defaults) <= 3 and (most >= 3 or args.vararg is not None) and not has_required_names


def _describe_place(error: SyntaxError) -> str:
    """Return the line of a syntax error, with a caret where the error is, and what is wrong."""
    if error.lineno is None or error.text is None:
        return f" is no Python program: {error.msg}"
    line, at = error.text.rstrip(), max((error.offset or 1) - 1, 0)
    shown = f"{line[:at]}^{line[at:]}".lstrip()
    return f", line {error.lineno}: {error.msg}, at the ^: {quote(shown, MAX_QUOTED_CHARACTERS)}"

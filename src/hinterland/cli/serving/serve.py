"""``hinterland serve`` and ``relay``: the arena in a browser, and relays that show its games."""

from __future__ import annotations

import sys
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Literal

from cyclopts import Parameter

from hinterland.errors import BadText, quote

if TYPE_CHECKING:
    from hinterland.web.openness import Openness

@Parameter(name="*")
@dataclass(frozen=True, kw_only=True)
class AddressOptions:
    """Under which names, and through which proxies, a server is reached.

    Parameters
    ----------
    public_url
        The arena's public address: `https://arena.example.org`, with its path if it has one.
    allow_host
        A further host name of the arena. May be repeated.
    trust_proxy
        The address of a proxy, or a network like 10.0.0.0/8, whose X-Forwarded-For and X-Forwarded-Proto are believed.
        May be repeated.
    """

    public_url: str | None = None
    allow_host: tuple[str, ...] = ()
    trust_proxy: tuple[str, ...] = ()

    def read(self, host: str, data: Path | None, table_ports: str | None = None) -> Openness:
        """Return who may reach a server on ``host``, and under which names."""
        from hinterland.web.openness import read_openness  # noqa: PLC0415
        from hinterland.web.settings import Place  # noqa: PLC0415

        return read_openness(
            is_loopback=Place(host=host).is_loopback, data=data, public_url=self.public_url,
            allow_hosts=self.allow_host, trust_proxy=self.trust_proxy, table_ports=table_ports,
        )  # fmt: skip


@Parameter(name="*")
@dataclass(frozen=True, kw_only=True)
class ArenaAddressOptions(AddressOptions):
    """Under which names, and through which proxies, an arena is reached, and the ports that it opens for programs.

    Parameters
    ----------
    public_url
        The arena's public address, if not HOST and PORT: behind a proxy, `https://arena.example.org`. It may have a
        path, `https://example.org/arena`.
    allow_host
        A further host name of the arena. IP addresses and this machine's own name need none. May be repeated.
    table_ports
        The ports that hosted matches may open for programs, such as 4000-4099, which is the default if others can reach
        the arena.
    """

    table_ports: str | None = None


@Parameter(name="*")
@dataclass(frozen=True, kw_only=True)
class ServedProgramOptions:
    """Programs that people may seat in matches.

    Parameters
    ----------
    program
        A program that people may seat in matches, with a name: `--program alpha=./mybot.py`, or
        `--program 'alpha=cmd:./mybot --flag'`. May be repeated. Pages can start no other programs.
    sandbox
        Start these programs in bubblewrap: no network, nothing of this machine but what they need to run. Needed if
        other machines can reach the arena.
    trust_programs
        Start programs without a sandbox although others can reach the arena: they can do whatever its user can.
    """

    program: tuple[str, ...] = ()
    sandbox: bool = False
    trust_programs: bool = False


def serve(
    *,
    host: str = "127.0.0.1",
    port: int = 8000,
    data: Path | None = None,
    index: str | None = None,
    redis: str | None = None,
    artworks: Path | None = None,
    contests: Path | None = None,
    programs: ServedProgramOptions = ServedProgramOptions(),
    address: ArenaAddressOptions = ArenaAddressOptions(),
    metrics_host: str = "127.0.0.1",
    metrics_port: int | None = None,
    log: Literal["json", "text"] | None = None,
    print_unit: Literal["systemd", "nginx", "caddy"] | None = None,
) -> int:
    """Start the arena and print its address; Ctrl-C stops it.

    If other machines can reach the arena, hosting a match needs a token. It is made once, and the address that contains
    it is printed. The environment variable HINTERLAND_ADMIN_TOKEN sets another.

    Parameters
    ----------
    host
        The address to listen on. The default can only be reached from this machine; `*` means all its addresses.
    port
        The port to listen on.
    data
        The folder in which games are kept, so that they survive a restart. Default: your own data folder.
    index
        The database in which games are listed: sqlite:///FILE, or postgresql://USER@HOST/DATABASE. Default: a file
        in the folder of `--data`. It is made from that folder, and can be deleted at any time.
    redis
        A Redis, redis://HOST:PORT/NUMBER, that feeds every `hinterland relay` with games, so that viewers need not
        connect to this process. Each arena needs a number of its own. The environment variable
        HINTERLAND_REDIS_PASSWORD is its password.
    artworks
        Save a picture of every finished board in this directory.
    contests
        A folder of contests, or one contest, to show under /contests while they are played and afterwards.
    metrics_host
        The address of the metrics, if `--metrics-port` is given.
    metrics_port
        Serve metrics at /metrics on this port, in the text format of Prometheus.
    log
        Log to standard error, a line an event, JSON for programs or text for people: warnings, and who made, joined
        and closed what, or was refused, from which address. Default: only warnings.
    print_unit
        Start nothing; print a systemd unit that starts the arena with these options, or the configuration of a
        proxy before it, nginx or caddy.
    """
    from hinterland.web.run_arena import run_arena  # noqa: PLC0415
    from hinterland.web.settings import Settings, default_data  # noqa: PLC0415

    if contests is not None and not contests.is_dir():
        raise BadText(f"{contests} is no folder of contests; `hinterland contest new` makes one")
    openness = address.read(host, None if print_unit else data or default_data(), address.table_ports)
    settings = Settings(
        host=host, port=port, data=data or default_data(), index=index, redis=redis, artworks=artworks,
        contests=contests, metrics_host=metrics_host, metrics_port=metrics_port, log=log,
        programs=_read_programs(programs), sandbox=programs.sandbox, openness=openness,
    )  # fmt: skip
    if programs.program and openness.is_public and not (programs.sandbox or programs.trust_programs):
        raise BadText(
            "others than this machine can reach the arena, and its programs could read all that its user can;"
            " start them with --sandbox, or say --trust-programs where all of them are your own"
        )
    if print_unit is not None:
        from hinterland.cli.serving.deployment import make_unit  # noqa: PLC0415

        sys.stdout.write(make_unit(print_unit, settings, is_data_given=data is not None))
        return 0
    run_arena(settings, _print_line)
    _print_line("Hinterland has stopped")
    return 0


def relay(
    *,
    redis: str,
    host: str = "127.0.0.1",
    port: int = 8001,
    address: AddressOptions = AddressOptions(),
    log: Literal["json", "text"] | None = None,
    print_unit: Literal["systemd"] | None = None,
) -> int:
    """Show the games of an arena to viewers, in a process of its own; Ctrl-C stops it.

    You can run one relay for each processor, on any number of machines. Start the arena with `hinterland serve --redis
    URL`; the same with `--print-unit nginx` prints a proxy that sends viewers to the relays.

    Parameters
    ----------
    redis
        The Redis of the arena: redis://HOST:PORT/NUMBER. The environment variable HINTERLAND_REDIS_PASSWORD is its
        password.
    host
        The address to listen on. The default can only be reached from this machine.
    port
        The port to listen on.
    log
        Log to standard error, a line an event, JSON for programs or text for people. Default: only warnings.
    print_unit
        Start nothing; print a systemd unit for relays with these options, one for each port.
    """
    from hinterland.web.run_relay import run_relay  # noqa: PLC0415
    from hinterland.web.settings import RelaySettings  # noqa: PLC0415

    settings = RelaySettings(redis=redis, host=host, port=port, log=log, openness=address.read(host, None))
    if print_unit is not None:
        from hinterland.cli.serving.deployment import make_relay_unit  # noqa: PLC0415

        sys.stdout.write(make_relay_unit(settings))
        return 0
    run_relay(settings, _print_line)
    _print_line("The relay has stopped")
    return 0


def _print_line(text: str) -> None:
    sys.stdout.write(f"{text}\n")
    sys.stdout.flush()


def _read_programs(options: ServedProgramOptions) -> dict[str, str]:
    """Read NAME=SPEC of each program. Raises BadText, or ArenaError if a program is missing or cannot be confined."""
    import asyncio  # noqa: PLC0415

    from hinterland.host.match_host import PROGRAM_PREFIX  # noqa: PLC0415
    from hinterland.host.processes import own_files  # noqa: PLC0415
    from hinterland.host.processes import sandbox as sandboxes  # noqa: PLC0415
    from hinterland.host.processes.command import ProgramOptions  # noqa: PLC0415
    from hinterland.host.specs import is_piped, make_command  # noqa: PLC0415
    from hinterland.referee.protocol.names import clean_name  # noqa: PLC0415

    programs: dict[str, str] = {}
    for text in options.program:
        name, equals, spec = text.partition("=")
        if (
            not equals
            or not is_piped(spec)
            or name != clean_name(name, ())
            or PROGRAM_PREFIX + name in programs
        ):
            raise BadText(f"--program is a unique name and a program, such as alpha=./mybot.py, not {quote(text)}")
        command = make_command(spec, ProgramOptions(sandbox=options.sandbox))
        path = command.program()
        if options.sandbox:
            asyncio.run(sandboxes.check())
            own_files.list_visible_files(own_files.find_own_directory(command, path), path)
        programs[PROGRAM_PREFIX + name] = spec
    return programs

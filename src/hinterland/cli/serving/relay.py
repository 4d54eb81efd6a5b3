"""``hinterland relay``: shows the games of an arena to whoever only watches."""

from __future__ import annotations

import sys
from typing import Literal

from hinterland.cli.serving.serve import Many


def relay(
    *,
    redis: str,
    host: str = "127.0.0.1",
    port: int = 8001,
    public_url: str | None = None,
    allow_host: Many = (),
    trust_proxy: Many = (),
    log: Literal["json", "text"] | None = None,
    print_unit: Literal["systemd"] | None = None,
) -> int:
    """Show the games of an arena to whoever only watches, in a process of its own; Ctrl-C stops it.

    There may be as many as there are processors and machines. The arena is `hinterland serve --redis URL`, and the
    same with `--print-unit nginx` prints a proxy before all of them that sends viewers here.

    Parameters
    ----------
    redis
        The Redis by which the arena tells of its games, the same as there: redis://HOST:PORT/NUMBER.
        HINTERLAND_REDIS_PASSWORD in the environment is its password.
    host
        The address to listen on. The default is reached from this machine only.
    port
        The port to listen on.
    public_url
        Where people reach the arena: `https://arena.example.org`, with its path, if it lives below one.
    allow_host
        A further name under which the arena is reached. May be repeated.
    trust_proxy
        The address of a proxy, or a network like 10.0.0.0/8, whose X-Forwarded-For and X-Forwarded-Proto are believed.
        May be repeated.
    log
        Log to standard error, a line an event, JSON for programs or text for people. By default warnings alone.
    print_unit
        Start nothing; print a unit of systemd for relays with these options, one for each port.
    """
    from hinterland.web.openness import read_openness  # noqa: PLC0415
    from hinterland.web.relays.run_relay import run_relay  # noqa: PLC0415
    from hinterland.web.settings import Place, RelaySettings  # noqa: PLC0415

    openness = read_openness(
        is_loopback=Place(host=host).is_loopback, data=None, public_url=public_url, allow_hosts=allow_host,
        trust_proxy=trust_proxy, table_ports=None,
    )  # fmt: skip
    settings = RelaySettings(redis=redis, host=host, port=port, log=log, openness=openness)
    if print_unit is not None:
        from hinterland.cli.serving.deployment import relay_unit  # noqa: PLC0415

        sys.stdout.write(relay_unit(settings))
        return 0
    run_relay(settings, lambda text: sys.stdout.write(f"{text}\n") and sys.stdout.flush())
    return 0

"""``hinterland relay``: shows the games of an arena to viewers."""

from __future__ import annotations

import sys
from typing import Literal

from hinterland.cli.serving.serve import Repeated


def relay(
    *,
    redis: str,
    host: str = "127.0.0.1",
    port: int = 8001,
    public_url: str | None = None,
    allow_host: Repeated = (),
    trust_proxy: Repeated = (),
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
    public_url
        The arena's public address: `https://arena.example.org`, with its path if it has one.
    allow_host
        A further host name of the arena. May be repeated.
    trust_proxy
        The address of a proxy, or a network like 10.0.0.0/8, whose X-Forwarded-For and X-Forwarded-Proto are believed.
        May be repeated.
    log
        Log to standard error, a line an event, JSON for programs or text for people. Default: only warnings.
    print_unit
        Start nothing; print a systemd unit for relays with these options, one for each port.
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
        from hinterland.cli.serving.deployment import make_relay_unit  # noqa: PLC0415

        sys.stdout.write(make_relay_unit(settings))
        return 0
    run_relay(settings, lambda text: sys.stdout.write(f"{text}\n") and sys.stdout.flush())
    return 0

"""``hinterland relay``: shows the games of an arena to viewers."""

from __future__ import annotations

import sys
from typing import Literal

from hinterland.cli.serving.serve import AddressOptions


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
    run_relay(settings, lambda text: sys.stdout.write(f"{text}\n") and sys.stdout.flush())
    return 0

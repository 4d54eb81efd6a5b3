"""Occupies the default ports of all commands while another command runs: ``python tests/default_ports.py make test``.

A test that needs a fixed port then fails, as it would beside a running ``make serve``.
"""

import contextlib
import socket
import subprocess
import sys

PORTS = (4000, 8000, 8001, 8080, 9000)


def main():
    with contextlib.ExitStack() as held:
        for port in PORTS:
            for family, host in ((socket.AF_INET, ""), (socket.AF_INET6, "::")):
                with contextlib.suppress(OSError):  # in use already, which serves as well
                    held.enter_context(socket.create_server((host, port), family=family))
        sys.exit(subprocess.run(sys.argv[1:], check=False).returncode)


if __name__ == "__main__":
    main()

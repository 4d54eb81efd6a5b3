"""Makes configuration files for an arena: systemd units, and configurations of the proxies nginx and Caddy."""

from __future__ import annotations

import re
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Literal
from urllib.parse import urlsplit

from hinterland.errors import BadText
from hinterland.host.match_host import PROGRAM_PREFIX
from hinterland.web.openness import Openness
from hinterland.web.settings import MAX_BODY_BYTES, RelaySettings, Settings

Unit = Literal["systemd", "nginx", "caddy"]

EXAMPLE_HOST = "arena.example"
"""Stands for the arena's public host name, if none is given."""
START_ADVICE = "\n# Start the arena with --public-url {url} --trust-proxy 127.0.0.1, with your own name and port"
STATE_FOLDER = Path("/var/lib/hinterland")
"""The folder in which systemd keeps the data of a service named ``hinterland``."""


def make_unit(kind: Unit, settings: Settings, *, is_data_given: bool) -> str:
    """Return one kind of configuration for an arena.

    Raises BadText for an option that the configuration cannot express.
    """
    if kind == "systemd":
        return make_systemd_unit(settings, is_data_given=is_data_given)
    return _fill(f"{kind}.conf", {**_make_proxy_fields(settings), "has_relays": settings.redis is not None})


def _fill(name: str, fields: Mapping[str, object]) -> str:
    """Fill in a template of the folder ``units``."""
    from jinja2 import Environment, PackageLoader, StrictUndefined  # noqa: PLC0415

    loader = PackageLoader("hinterland.cli.serving", "units")
    texts = Environment(loader=loader, undefined=StrictUndefined, trim_blocks=True, keep_trailing_newline=True)
    return texts.get_template(name).render(fields)


def _make_proxy_fields(settings: Settings) -> dict[str, str]:
    """Return the fields of a proxy's configuration: the parts of the public URL, and the arena's address."""
    openness = settings.openness
    public = urlsplit(openness.public_url or f"https://{EXAMPLE_HOST}")
    is_https, port, name = public.scheme == "https", public.port, public.hostname or EXAMPLE_HOST
    is_told = openness.public_url is not None and openness.trust_proxy
    base = public.path
    return {
        "name": name,
        "authority": public.netloc,
        "port": str(port or (443 if is_https else 80)),
        "ssl": " ssl" if is_https else "",
        "site": public.netloc if is_https else f"http://{public.netloc}",
        "base": base,
        "matcher": f"{base}/* " if base else "",
        "upstream": _make_upstream(settings.host, settings.port),
        "body_kib": str(MAX_BODY_BYTES // 1024),
        "advice": "" if is_told else START_ADVICE.format(url=openness.public_url or f"https://{EXAMPLE_HOST}"),
    }


def make_relay_unit(settings: RelaySettings) -> str:
    """Return a systemd template unit; each instance is one relay, named by its port. Raises BadText."""
    given = [
        ("redis", settings.redis),
        ("host", settings.host),
        ("log", settings.log),
        *_list_address_options(settings.openness),
    ]
    command = [sys.executable, "-m", "hinterland", "relay", *_make_words(given)]
    return _fill("relay.service", {"command": " ".join(map(_quote_word, command)), "port": settings.port})


def make_systemd_unit(settings: Settings, *, is_data_given: bool) -> str:
    """Return a systemd unit that starts the arena. If no data folder is given, systemd makes one. Raises BadText."""
    data = settings.data.absolute() if is_data_given else STATE_FOLDER
    command = [sys.executable, "-m", "hinterland", "serve", "--data", str(data), *_list_options(settings)]
    written = [data] if is_data_given else []
    if settings.artworks is not None:
        written = [data, settings.artworks.absolute()]
    account = ["DynamicUser=yes", "StateDirectory=hinterland", "StateDirectoryMode=0700"]
    if written:
        account = ["User=hinterland", *(f"ReadWritePaths={_quote_word(str(path))}" for path in written)]
    if settings.programs:
        account.append(f"WorkingDirectory={str(Path.cwd()).replace('%', '%%')}")
    return _fill("arena.service", {"command": " ".join(map(_quote_word, command)), "account": "\n".join(account)})


def _list_options(settings: Settings) -> list[str]:
    """Return the words of all options of ``hinterland serve`` but ``--data``."""
    openness = settings.openness
    given: list[tuple[str, object]] = [
        ("host", settings.host),
        ("port", settings.port),
        ("index", settings.index),
        ("redis", settings.redis),
        ("artworks", settings.artworks and settings.artworks.absolute()),
        ("contests", settings.contests and settings.contests.absolute()),
        ("metrics-host", settings.metrics_host if settings.metrics_port is not None else None),
        ("metrics-port", settings.metrics_port),
        ("log", settings.log),
        *_list_address_options(openness),
        ("table-ports", openness.table_ports and "-".join(map(str, openness.table_ports))),
        *(("program", f"{name.removeprefix(PROGRAM_PREFIX)}={spec}") for name, spec in settings.programs.items()),
    ]
    how = "--sandbox" if settings.sandbox else "--trust-programs"
    return _make_words(given) + ([how] if settings.programs and (settings.sandbox or openness.is_public) else [])


def _list_address_options(openness: Openness) -> list[tuple[str, object]]:
    """Return the options for the names and proxies through which a server is reached."""
    return [
        ("public-url", openness.public_url),
        *(("allow-host", name) for name in openness.allow_hosts),
        *(("trust-proxy", network) for network in openness.trust_proxy),
    ]


def _make_words(given: Sequence[tuple[str, object]]) -> list[str]:
    return [word for name, value in given if value is not None for word in (f"--{name}", str(value))]


def _make_upstream(host: str, port: int) -> str:
    """Return the address at which a proxy on the same machine reaches the arena."""
    host = {"*": "127.0.0.1", "0.0.0.0": "127.0.0.1", "::": "::1"}.get(host, host)
    return f"[{host}]:{port}" if ":" in host else f"{host}:{port}"


def _quote_word(word: str) -> str:
    """Quote a word for systemd, which gives % and $ a meaning of its own. Raises BadText for a line end."""
    if not word.isprintable():
        raise BadText("a unit of systemd takes no words with line ends or other control characters")
    word = word.replace("%", "%%").replace("$", "$$")
    if re.fullmatch(r"[\w@%+=:,./$-]+", word):
        return word
    inside = word.replace("\\", "\\\\").replace('"', '\\"')
    return f'"{inside}"'

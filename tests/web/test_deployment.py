"""What is printed for operators: a unit for the same arena, proxies that let live connections through."""

import configparser
import json
import re
import subprocess
import sys
from pathlib import Path

import pytest

from hinterland.cli import run

ROOT = Path(__file__).parents[2]


@pytest.fixture
def printed(capsys):
    def call(*arguments, code=0):
        assert run(["serve", *map(str, arguments)]) == code
        told = capsys.readouterr()
        return told.err if code else told.out

    return call


def service(text):
    """Return a unit's service: the words of its command as systemd takes them, and all its settings as pairs."""
    lines = text[text.index("[Service]") : text.index("[Install]")].splitlines()[1:]
    pairs = [tuple(line.split("=", 1)) for line in lines if line]
    command = next(value for name, value in pairs if name == "ExecStart")
    words = re.findall(r'"((?:[^"\\]|\\.)*)"|(\S+)', command)
    taken = [re.sub(r"\\(.)", r"\1", quoted) or plain for quoted, plain in words]
    return [word.replace("%%", "%").replace("$$", "$") for word in taken], pairs


def test_a_unit_of_systemd(printed):
    text = printed("--print-unit", "systemd")
    configparser.ConfigParser(interpolation=None).read_string(text)
    words, pairs = service(text)
    assert words[:4] == [sys.executable, "-m", "hinterland", "serve"]
    assert words[4:] == ["--data", "/var/lib/hinterland", "--host", "127.0.0.1", "--port", "8000"]
    assert ("StateDirectory", "hinterland") in pairs
    assert ("DynamicUser", "yes") in pairs
    assert ("OOMPolicy", "continue") in pairs, "else the end of one helper is that of the arena"


def test_a_unit_has_all_options_whatever_they_hold(printed, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    Path("contests").mkdir()
    program = 'alpha=cmd:cat "a b" $HOME 100% \\n'
    text = printed(
        "--print-unit", "systemd", "--data", "my data", "--artworks", "art", "--contests", "contests", "--port", 81,
        "--host", "::", "--metrics-port", 9100, "--log", "json", "--program", program, "--redis", "redis://10.0.0.9/3",
        "--trust-programs",
    )  # fmt: skip
    words, pairs = service(text)
    assert words.pop() == "--trust-programs"
    given = dict(zip(words[4::2], words[5::2], strict=True))
    assert given == {
        "--data": str(tmp_path / "my data"), "--artworks": str(tmp_path / "art"), "--port": "81", "--host": "::",
        "--contests": str(tmp_path / "contests"), "--metrics-host": "127.0.0.1", "--metrics-port": "9100",
        "--log": "json", "--program": program, "--table-ports": "4000-4099", "--redis": "redis://10.0.0.9/3",
    }  # fmt: skip
    assert ("User", "hinterland") in pairs
    assert [value for name, value in pairs if name == "ReadWritePaths"] == [f'"{tmp_path}/my data"', f"{tmp_path}/art"]
    assert ("WorkingDirectory", str(tmp_path)) in pairs
    assert list(tmp_path.iterdir()) == [tmp_path / "contests"], "nothing is started"


def test_what_no_unit_can_hold_is_refused_in_one_line(printed):
    said = printed("--print-unit", "systemd", "--data", "a\nExecStartPre=b", code=2)
    assert said == "hinterland: a unit of systemd takes no words with line ends or other control characters\n"
    assert printed("--print-unit", "apache", code=2).count("\n") == 1


@pytest.mark.parametrize(
    ("options", "upstream"),
    [
        ((), "127.0.0.1:8000"),
        (("--host", "0.0.0.0", "--port", 81), "127.0.0.1:81"),
        (("--host", "::"), "[::1]:8000"),
        (("--host", "10.0.0.5"), "10.0.0.5:8000"),
    ],
)
def test_proxies_lead_to_the_arena_and_let_live_connections_through(printed, options, upstream):
    nginx = printed("--print-unit", "nginx", *options)
    assert nginx.count("{") == nginx.count("}")
    for line in (
        f"server {upstream};",
        "proxy_set_header Host $http_host;",
        "proxy_set_header Upgrade $http_upgrade;",
        "proxy_set_header Connection $hinterland_connection;",
        "proxy_set_header X-Forwarded-For $remote_addr;",
        "proxy_read_timeout 120s;",
    ):
        assert line in nginx
    assert "--public-url https://arena.example --trust-proxy 127.0.0.1" in nginx
    caddy = printed("--print-unit", "caddy", *options)
    assert caddy.count("{") == caddy.count("}")
    assert f"reverse_proxy {upstream} {{" in caddy
    assert "header_up X-Forwarded-For {remote_host}" in caddy


def test_proxies_have_the_name_that_is_given(printed):
    given = ("--public-url", "https://my.example", "--trust-proxy", "127.0.0.1")
    for kind in ("nginx", "caddy"):
        text = printed("--print-unit", kind, *given)
        assert "my.example" in text
        assert "8443" not in text
        text = printed("--print-unit", kind, "--public-url", "https://my.example:8443", *given[2:])
        assert {"nginx": "listen 8443 ssl;", "caddy": "my.example:8443 {"}[kind] in text
        text = printed("--print-unit", kind, "--public-url", "http://lab:8080", *given[2:])
        assert {"nginx": "listen 8080;", "caddy": "http://lab:8080 {"}[kind] in text
        assert "ssl" not in text
        assert "--public-url" not in text
    assert printed("--print-unit", "systemd", *given).count("--trust-proxy 127.0.0.1") == 1


def test_proxies_send_who_only_watches_to_relays_where_there_are_any(printed):
    for kind, lines in {
        "nginx": ("location /watch/ {", "proxy_pass http://hinterland_relays;", "server 10.0.0.5:8000 backup;"),
        "caddy": ("reverse_proxy /watch/* 127.0.0.1:8001 {",),
    }.items():
        options = ("--print-unit", kind, "--host", "10.0.0.5")
        text = printed(*options, "--redis", "redis://10.0.0.9")
        assert text.count("{") == text.count("}")
        for line in lines:
            assert line in text
            assert line not in printed(*options)


def test_a_unit_of_systemd_for_relays(capsys):
    names = ("--public-url", "https://my.example", "--trust-proxy", "127.0.0.1")
    assert run(["relay", "--redis", "redis://10.0.0.9/3", *names, "--log", "json", "--print-unit", "systemd"]) == 0
    text = capsys.readouterr().out
    configparser.ConfigParser(interpolation=None).read_string(text)
    line = next(line for line in text.splitlines() if line.startswith("ExecStart="))
    words = line.removeprefix("ExecStart=").split()
    assert words[:4] == [sys.executable, "-m", "hinterland", "relay"]
    given = dict(zip(words[4::2], words[5::2], strict=True))
    assert given == {
        "--redis": "redis://10.0.0.9/3", "--host": "127.0.0.1", "--port": "%i", "--public-url": "https://my.example",
        "--trust-proxy": "127.0.0.1", "--log": "json",
    }  # fmt: skip


def container():
    """Return the instructions of the Containerfile, lines that go on put together."""
    text = (ROOT / "Containerfile").read_text().replace("\\\n", "")
    return [tuple(line.split(None, 1)) for line in text.splitlines() if line and not line.startswith("#")]


def test_the_image_is_run_by_nobody_in_particular_and_keeps_its_data():
    found = container()
    assert {words.split()[0] for name, words in found if name == "FROM"} == {"python:3.12-slim"}
    names = [name for name, _ in found]
    told = dict(found)
    assert told["USER"] == "hinterland"
    assert names.index("USER") < names.index("ENTRYPOINT")
    assert "/data" in json.loads(told["VOLUME"])
    command = json.loads(told["ENTRYPOINT"])
    assert command[:2] == ["hinterland", "serve"]
    assert command[command.index("--data") + 1] == "/data"
    kept = {line[1:] for line in (ROOT / ".dockerignore").read_text().splitlines() if line.startswith("!")}
    copied = {word for name, words in found if name == "COPY" and "--from" not in words for word in words.split()[:-1]}
    assert copied == kept
    assert all((ROOT / name).exists() for name in kept)


@pytest.mark.thorough
@pytest.mark.once
def test_the_image_asks_whether_the_arena_is_well(serving):
    check = dict(container())["HEALTHCHECK"]
    _, dash_c, code = json.loads(check[check.index("CMD ") + 4 :])
    assert dash_c == "-c"
    server = serving().ready()
    command = [sys.executable, "-c", code.replace(":8000/", f":{server.port}/")]
    assert subprocess.run(command, check=False, capture_output=True).returncode == 0
    server.stop()
    assert subprocess.run(command, check=False, capture_output=True).returncode != 0

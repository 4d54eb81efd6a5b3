"""The sample clients as commands, compiled where they must be; without a compiler skipped, or failed in CI."""

import os
import shutil
import subprocess
import sys
from functools import cache
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parent))

CLIENTS = Path(__file__).parents[2] / "clients"
OLD = Path(__file__).parent / "old"


def tool(name):
    """Return the path of a compiler or an interpreter."""
    found = shutil.which(name)
    if found is None:
        told = f"NO {name} FOUND: a sample client is not tested; install default-jdk-headless, g++ and nodejs"
        if os.environ.get("HINTERLAND_NO_SKIP"):
            pytest.fail(told)
        pytest.skip(told)
    return found


def build(*command):
    """Run a compiler, in which a warning is an error."""
    built = subprocess.run(command, capture_output=True, text=True, check=False)
    assert built.returncode == 0, built.stdout + built.stderr


@pytest.fixture(scope="session")
def java_client(tmp_path_factory):
    folder = tmp_path_factory.mktemp("java")
    build(tool("javac"), "-Xlint:all", "-Werror", "-d", str(folder), str(CLIENTS / "java/HpsClient.java"))
    return [tool("java"), "-XX:TieredStopAtLevel=1", "-cp", str(folder), "HpsClient"]


@pytest.fixture(scope="session")
def cpp_client(tmp_path_factory):
    program = tmp_path_factory.mktemp("cpp") / "hps_client"
    flags = ["-std=c++17", "-O1", "-Wall", "-Wextra", "-Wpedantic", "-Werror"]
    build(tool("g++"), *flags, "-o", str(program), str(CLIENTS / "cpp/hps_client.cpp"))
    return [str(program)]


@pytest.fixture(scope="session")
def old_client(tmp_path_factory):
    """Return a function from a language to the command of a client that behaves as the courses' do."""
    folder = tmp_path_factory.mktemp("old")

    @cache
    def command(language):
        match language:
            case "python":
                return [sys.executable, str(OLD / "old.py")]
            case "javascript":
                return [tool("node"), str(OLD / "old.mjs")]
            case "java":
                build(tool("javac"), "-Xlint:all", "-Werror", "-d", str(folder), str(OLD / "Old.java"))
                return [tool("java"), "-XX:TieredStopAtLevel=1", "-cp", str(folder), "Old"]
        program = str(folder / "old")
        build(tool("g++"), "-std=c++17", "-O1", "-Wall", "-Wextra", "-Werror", "-o", program, str(OLD / "old.cpp"))
        return [program]

    return command


@pytest.fixture
def command_of(request):
    """Return a function from the name of a client to the command that runs it."""

    def command(name):
        match name:
            case "python hps":
                return [sys.executable, str(CLIENTS / "python/hps_client.py")]
            case "python json":
                return [sys.executable, str(CLIENTS / "python/json_client.py")]
            case "javascript json":
                return [tool("node"), str(CLIENTS / "javascript/json_client.mjs")]
            case "java hps" | "cpp hps":
                return request.getfixturevalue(f"{name.split()[0]}_client")
        raise AssertionError(name)

    return command


@pytest.fixture
def client(request, command_of):
    """Return (protocol, command) of the client that a test is run for, by its name."""
    return request.param.split()[1], command_of(request.param)

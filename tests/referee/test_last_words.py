"""What is kept of a program's last words is the exception and its message, in whatever language it was written."""

import asyncio
import os
import shutil
import subprocess
import sys

import pytest

from hinterland.host.processes.command import Command
from hinterland.host.processes.exit_status import find_last_words
from hinterland.referee.verdicts import Verdict
from programs import run_to_loss

JAVA = """
public class Crash {
    static void inner() { throw new IllegalStateException("no cheese in row 7"); }
    public static void main(String[] words) {
        try { inner(); } catch (IllegalStateException error) {
            if (words.length > 0) throw error;
            throw new RuntimeException("the move was not found", error);
        }
    }
}
"""
CPP = """
#include <cstdlib>
#include <stdexcept>
int main(int count, char**) { if (count > 1) std::abort(); throw std::out_of_range("row 7 of 5"); }
"""
RUST = """
fn main() {
    if std::env::args().count() > 1 { assert_eq!(1 + 1, 3, "the sum of two lines"); }
    let rows: Vec<i32> = vec![1, 2];
    println!("{}", rows[std::env::args().count() + 6]);
}
"""
NODE = """
function inner() { throw new TypeError("no cheese in row 7"); }
if (process.argv.length > 2) require("node:fs").readFileSync("/nowhere/at/all");
inner();
"""
PYTHON = """
import sys
try:
    [][7]
except IndexError as error:
    raise ValueError("no cheese in row 7") from error
"""


def tool(name):
    found = shutil.which(name)
    if found is None:
        if os.environ.get("HINTERLAND_NO_SKIP") and name != "rustc":
            pytest.fail(f"{name} is missing")
        pytest.skip(f"{name} is missing")
    return found


def built(folder, language):
    """Return the command of a program that crashes."""
    match language:
        case "java":
            (folder / "Crash.java").write_text(JAVA)
            subprocess.run([tool("javac"), "-d", folder, folder / "Crash.java"], check=True)
            return [tool("java"), "-cp", str(folder), "Crash"]
        case "cpp":
            (folder / "crash.cpp").write_text(CPP)
            subprocess.run([tool("g++"), "-o", folder / "crash", folder / "crash.cpp"], check=True)
            return [str(folder / "crash")]
        case "rust":
            (folder / "crash.rs").write_text(RUST)
            build = [tool("rustc"), "-o", folder / "crash", folder / "crash.rs"]
            subprocess.run(build, check=True, capture_output=True)
            return [str(folder / "crash")]
        case "javascript":
            (folder / "crash.js").write_text(NODE)
            return [tool("node"), str(folder / "crash.js")]
    (folder / "crash.py").write_text(PYTHON)
    return [sys.executable, str(folder / "crash.py")]


@pytest.mark.parametrize(
    ("language", "words", "kept"),
    [
        ("java", (), ["java.lang.RuntimeException: the move was not found; caused by", "no cheese in row 7"]),
        ("java", ("1",), ['Exception in thread "main" java.lang.IllegalStateException: no cheese in row 7']),
        ("cpp", (), ["std::out_of_range", "what():  row 7 of 5"]),
        ("rust", (), ["panicked at", "crash.rs:5", "index out of bounds: the len is 2 but the index is 7"]),
        ("rust", ("1",), ["panicked at", "crash.rs:3", "the sum of two lines"]),
        ("javascript", (), ["TypeError: no cheese in row 7"]),
        ("javascript", ("1",), ["Error: ENOENT: no such file or directory, open '/nowhere/at/all'"]),
        ("python", (), ["ValueError: no cheese in row 7"]),
    ],
)
def test_the_exception_and_its_message_are_kept(language, words, kept, tmp_path):
    argv = (*built(tmp_path, language), *words)
    verdict, detail, *_ = asyncio.run(run_to_loss(Command(argv=argv, cwd=str(tmp_path))))
    assert verdict is Verdict.CRASH
    said = detail.partition("its last words: ")[2].replace("\\'", "'")
    assert all(part in said for part in kept), detail


GO = """panic: runtime error: index out of range [7] with length 2

goroutine 1 [running]:
main.choose(...)
\t/home/anna/bot/main.go:12
main.main()
\t/home/anna/bot/main.go:31 +0x1d
exit status 2
"""
GO_DEADLOCK = """fatal error: all goroutines are asleep - deadlock!

goroutine 1 [chan receive]:
main.main()
\t/home/anna/bot/main.go:6 +0x32
created by main.start in goroutine 5
exit status 2
"""
CSHARP = """Unhandled exception. System.InvalidOperationException: no cheese
   at Bot.Choose() in /home/anna/Bot.cs:line 12
   at Bot.Main() in /home/anna/Bot.cs:line 31
"""
JAVA_LOADER = """Error: Could not find or load main class Bot
Caused by: java.lang.ClassNotFoundException: Bot
"""
RUBY = """bot.rb:3:in `choose': no cheese (RuntimeError)
\tfrom bot.rb:9:in `<main>'
"""
RUST_2021 = """thread 'main' panicked at 'no cheese', src/main.rs:2:5
note: run with `RUST_BACKTRACE=1` environment variable to display a backtrace
"""
RUST_TRACE = """thread 'main' (4711) panicked at src/main.rs:2:5:
no cheese
stack backtrace:
   0: rust_begin_unwind
             at /rustc/9fc6b/library/std/src/panicking.rs:665:5
   1: bot::main
             at ./src/main.rs:2:5
note: Some details are omitted, run with `RUST_BACKTRACE=full` for a verbose backtrace.
"""


@pytest.mark.parametrize(
    ("text", "kept"),
    [
        (GO, "panic: runtime error: index out of range [7] with length 2"),
        (GO_DEADLOCK, "fatal error: all goroutines are asleep - deadlock!"),
        (CSHARP, "Unhandled exception. System.InvalidOperationException: no cheese"),
        (JAVA_LOADER, "Error: Could not find or load main class Bot; caused by java.lang.ClassNotFoundException: Bot"),
        (RUBY, "bot.rb:3:in `choose': no cheese (RuntimeError)"),
        (RUST_2021, "thread 'main' panicked at 'no cheese', src/main.rs:2:5"),
        (RUST_TRACE, "thread 'main' (4711) panicked at src/main.rs:2:5: no cheese"),
        ("thinking\n\nno way\n", "no way"),
        ("Traceback (most recent call last):\n  File x\nValueError: caught\ngiving up\n", "giving up"),
        ("exit status 2\n", "exit status 2"),
        ("  no cheese\n", "no cheese"),
        ("", ""),
    ],
)
def test_what_others_print_last(text, kept):
    assert find_last_words(text) == kept

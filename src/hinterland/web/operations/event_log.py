"""The log of a server, one line per event: JSON for programs, or text for people."""

from __future__ import annotations

import logging
import sys
from datetime import UTC, datetime
from typing import Any, Literal

import msgspec

Form = Literal["json", "text"]
SERVER_LOGGERS = ("uvicorn", "uvicorn.error", "uvicorn.access", "uvicorn.asgi")
"""Loggers of the web server; their own handlers are removed."""


def begin(form: Form) -> None:
    """Log to standard error: events of Hinterland from level INFO on, all others from WARNING on."""
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(JsonLines() if form == "json" else TextLines())
    logging.basicConfig(level=logging.WARNING, handlers=[handler], force=True)
    logging.getLogger("hinterland").setLevel(logging.INFO)
    for name in SERVER_LOGGERS:
        logger = logging.getLogger(name)
        logger.handlers.clear()
        logger.propagate = True


def with_fields(**fields: object) -> dict[str, Any]:
    """Return the argument ``extra`` that adds fields to a line: ``log.info("made", extra=with_fields(game=…))``."""
    return {"fields": fields}


class JsonLines(logging.Formatter):
    """A JSON object per event: time, level, logger, message, fields, and the exception if there is one."""

    def format(self, record: logging.LogRecord) -> str:
        own = {
            "time": _time(record),
            "level": record.levelname,
            "logger": record.name,
            "message": record.getMessage(),
        }
        if record.exc_info:
            own["exception"] = self.formatException(record.exc_info)
        fields = {**own, **_fields(record), **own}
        return msgspec.json.encode(
            {name: _without_surrogates(value) for name, value in fields.items()}, enc_hook=str
        ).decode()


class TextLines(logging.Formatter):
    """A line per event, with its exception below it. Text from outside is escaped, so it cannot add a line."""

    def format(self, record: logging.LogRecord) -> str:
        fields = "".join(f" {name}={value}" for name, value in _fields(record).items())
        line = f"{_time(record)} {record.levelname} {record.name}: {record.getMessage()}{fields}"
        line = "".join(letter if letter.isprintable() else ascii(letter)[1:-1] for letter in line)
        return f"{line}\n{self.formatException(record.exc_info)}" if record.exc_info else line


def _fields(record: logging.LogRecord) -> dict[str, Any]:
    return getattr(record, "fields", {})


def _time(record: logging.LogRecord) -> str:
    return datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds")


def _without_surrogates(value: Any) -> Any:
    """Return a value with lone surrogates escaped, since UTF-8 cannot hold them."""
    return value.encode("utf-8", "backslashreplace").decode() if isinstance(value, str) else value

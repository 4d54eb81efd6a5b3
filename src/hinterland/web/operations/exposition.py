"""Metrics in the text format of Prometheus, version 0.0.4."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Literal

import msgspec

CONTENT_TYPE = "text/plain; version=0.0.4"


class Metric(msgspec.Struct, frozen=True):
    """One metric: its name with its unit, its description, and a value for each set of labels."""

    name: str
    kind: Literal["gauge", "counter"]
    help: str
    samples: tuple[tuple[Mapping[str, str], float], ...]


def exposition(metrics: Iterable[Metric]) -> str:
    """Return metrics as text."""
    lines = []
    for metric in metrics:
        lines += [f"# HELP {metric.name} {_escaped(metric.help)}", f"# TYPE {metric.name} {metric.kind}"]
        lines += [f"{metric.name}{_format_labels(labels)} {value:.17g}" for labels, value in metric.samples]
    return "\n".join(lines) + "\n"


def _format_labels(labels: Mapping[str, str]) -> str:
    inside = ",".join(f'{name}="{_escaped(value, quotes=True)}"' for name, value in labels.items())
    return f"{{{inside}}}" if inside else ""


def _escaped(text: str, *, quotes: bool = False) -> str:
    text = text.replace("\\", "\\\\").replace("\n", "\\n")
    return text.replace('"', '\\"') if quotes else text

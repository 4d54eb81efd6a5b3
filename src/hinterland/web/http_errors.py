"""Error answers: one clear line, as a page for browsers and as JSON for programs."""

from __future__ import annotations

import logging
from typing import Any

from litestar import Request, Response
from litestar.exceptions import HTTPException
from litestar.response import Template

from hinterland.errors import ArenaError, HinterlandError, RecordError
from hinterland.host.preparation import NotPrepared
from hinterland.web.app_context import context_of
from hinterland.web.languages.reader import translate_sentence, use_language

log = logging.getLogger("hinterland.web")
STATUS_MESSAGES = {
    404: "page not found",
    405: "this address does not accept that",
    413: "the request is too large: its body may have at most 64 KiB",
    500: "something went wrong in the arena; it has been logged",
}
ERROR_STATUS = {ArenaError: 503, RecordError: 500}
"""Statuses of errors that are not the client's fault. Every other HinterlandError is answered with 400."""


def not_here(what: str) -> HTTPException:
    """Return the error for an unknown address, 404."""
    return HTTPException(what, status_code=404)


def conflict(what: str) -> HTTPException:
    """Return the error for an action that the state of a game does not allow, 409."""
    return HTTPException(what, status_code=409)


def refuse(request: Request[Any, Any, Any], status: int, message: str, headers: dict[str, str]) -> Response[Any]:
    """Return an answer with a status and one line of text, as a page or as JSON."""
    use_language(request)  # a request for an unknown address has not passed ``with_language``
    message = translate_sentence(message)
    if not request.scope["path"].startswith("/api/") and "text/html" in request.headers.get("accept", ""):
        context = {"status": status, "message": message, "in_arena": context_of(request).hosts_matches}
        return Template("error.html", context=context, status_code=status, headers=headers)
    return Response({"error": message}, status_code=status, headers=headers, media_type="application/json")


def on_http(request: Request[Any, Any, Any], error: HTTPException) -> Response[Any]:
    """Answer an HTTP error.

    An error raised by Litestar gets one of ``STATUS_MESSAGES``; an error of ours keeps its text.
    """
    is_ours = type(error) is HTTPException
    message = error.detail if is_ours else STATUS_MESSAGES.get(error.status_code, error.detail)
    return refuse(request, error.status_code, message, dict(error.headers or {}))


def on_refusal(request: Request[Any, Any, Any], error: HinterlandError) -> Response[Any]:
    """Answer a HinterlandError."""
    status = ERROR_STATUS.get(type(error), 400)
    return refuse(request, status, str(error), {"Retry-After": "30"} if status == 503 else {})


def on_bug(request: Request[Any, Any, Any], error: Exception) -> Response[Any]:
    """Answer an unexpected error; the log has the details."""
    log.error("%s %s failed", request.method, request.scope["path"], exc_info=error)
    return refuse(request, 500, STATUS_MESSAGES[500], {})


def on_unprepared(request: Request[Any, Any, Any], error: NotPrepared) -> Response[Any]:
    """Answer that kernels are being compiled, and how many are done. The page then asks again."""
    response = refuse(request, 503, str(error), {"Retry-After": "1"})
    if isinstance(response, Template):
        response.context["retries"] = True
    else:
        response.content["percent"] = error.percent
    return response


HANDLERS: dict[Any, Any] = {
    HTTPException: on_http, NotPrepared: on_unprepared, HinterlandError: on_refusal, Exception: on_bug
}  # fmt: skip

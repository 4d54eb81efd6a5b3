"""The endpoints for monitors: health and readiness."""

from __future__ import annotations

from typing import Any

from litestar import Request, Response, get

from hinterland.web.arena import arena_of


@get("/healthz")
async def healthz(request: Request[Any, Any, Any]) -> Response[dict[str, Any]]:
    """Return whether the arena is healthy; 503 with the reason if not."""
    health = arena_of(request).health
    fault = await health.fault()
    lag_ms = round(health.lag.worst_s * 1000)
    status = {"ok": not fault, "lag_ms": lag_ms, "disk_free_mib": health.free_mib}
    return Response({**status, "reason": fault}, status_code=503) if fault else Response(status)


@get("/readyz")
async def readyz(request: Request[Any, Any, Any]) -> Response[dict[str, Any]]:
    """Return whether the arena accepts clients; 503 while it starts or stops."""
    if arena_of(request).health.is_ready:
        return Response({"ready": True})
    return Response({"ready": False, "reason": "the arena is starting or stopping"}, status_code=503)

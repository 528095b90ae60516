"""The browser page: its files, compressed and cached, at its own addresses."""

from __future__ import annotations

from pathlib import Path
from typing import Final

from fastapi.staticfiles import StaticFiles
from starlette.exceptions import HTTPException
from starlette.middleware.gzip import GZipMiddleware
from starlette.responses import Response
from starlette.types import ASGIApp, Scope

INDEX: Final = "index.html"
FOREVER: Final = "public, max-age=31536000, immutable"


class Page(StaticFiles):
    """The built page. An address that is no file opens the page, which knows what to show there."""

    async def get_response(self, path: str, scope: Scope) -> Response:
        """Return a file, or the page itself; always whole, as none is long."""
        scope["headers"] = [field for field in scope["headers"] if field[0] != b"range"]
        try:
            response = await super().get_response(path, scope)
        except HTTPException as error:
            name = Path(path)
            if error.status_code != 404 or name.suffix or name.parts[:1] == ("api",):
                raise
            response = await super().get_response(INDEX, scope)
        # Names of assets have a digest of what is inside; everything else may change.
        is_asset = Path(path).parts[:1] == ("assets",)
        response.headers["Cache-Control"] = FOREVER if is_asset else "no-cache"
        return response


def page_app(folder: Path) -> ASGIApp:
    """Return the page as an application, compressed."""
    return GZipMiddleware(Page(directory=folder, html=True), minimum_size=500)

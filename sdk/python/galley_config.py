"""The plugin's settings and secrets. The manifest declares them, `Plugin(…, settings=[{"key": "days", "type": "number", "default": 7}])`, and
the operator sets them. The world imports `galley:config/config@1.0.0`, which needs no permission."""

import json
from typing import Any

from wit_world.imports import config as _config


def setting(key: str) -> Any:
    """What the operator set, otherwise the manifest's default; `None` where there is neither."""
    found = _config.get(key)
    return None if found is None else json.loads(found)


def has_secret(key: str) -> bool:
    """Whether the operator set a secret. Nothing returns its value: it goes with the requests of `galley_outbound`."""
    return _config.has_secret(key)

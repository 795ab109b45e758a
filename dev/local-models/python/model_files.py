"""Models in a folder that replace the installed ones: `recogniser/<name>/` and `voice/<name>.onnx`."""

from pathlib import Path


def replacing(models: str | None, kind: str, ending: str = "") -> str | None:
    """Returns the path of the model of a kind, or None if the folder has none. Exits if there are several, because the choice would be a guess."""
    if not models:
        return None
    found = [path for path in sorted((Path(models) / kind).glob(f"*{ending}")) if not path.name.startswith(".")]
    if len(found) > 1:
        raise SystemExit(f"{Path(models) / kind} has {len(found)} models; keep one.")
    return str(found[0]) if found else None

"""Evidence: the five layers that check a mechanism, from exact divergence to attacks on drawn answers."""

from discreet.budget import Phrase, plugins

if __name__ != "discreet.evidence":  # a second import name would create every class twice
    raise ImportError("Write discreet.evidence: this folder is a part of the package discreet.")


def _lacking(kind: type) -> Phrase | None:
    """Run the layers of evidence for a kind of another package; imported here, so that no other code loads them."""
    from discreet.evidence.packages import lacking

    return lacking(kind)


plugins.examined_by(_lacking)

"""Evidence: the five layers that check a mechanism, from exact divergence to attacks on what is drawn."""

from discreet.budget import Phrase, plugins

if __name__ != "discreet.evidence":  # under a second name every class would be there twice
    raise ImportError("Write discreet.evidence: this folder is a part of the package discreet.")


def _lacking(kind: type) -> Phrase | None:
    """Run the layers of evidence for what another package brought: nobody else waits for them to be imported."""
    from discreet.evidence.packages import lacking

    return lacking(kind)


plugins.examined_by(_lacking)

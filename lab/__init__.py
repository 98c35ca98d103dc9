"""Lab: experiments, evidence and lessons, on public data only."""

from discreet.budget import Phrase, plugins

if __name__ != "discreet.lab":  # under a second name every class would be there twice
    raise ImportError("Write discreet.lab: this folder is a part of the package discreet.")


def _lacking(kind: type) -> Phrase | None:
    """Run the layers of evidence for what another package brought: nobody else waits for them to be imported."""
    from discreet.lab.proving.packages import lacking

    return lacking(kind)


plugins.examined_by(_lacking)

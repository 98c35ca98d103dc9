"""Reports: where a verb writes its answers as a publication, and in which language."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace
from functools import partial
from pathlib import Path

from discreet.report.html import html_report
from discreet.report.publication import Publication
from discreet.report.tables import bundle
from discreet.ui.frame.catalogue import CATALOGUES, said_in

LANGUAGES = ("en", *CATALOGUES)
PAGE = ".html"
ARCHIVE = ".zip"


def add_to(parser: ArgumentParser) -> None:
    """Add the options for a report."""
    parser.add_argument("--report", metavar="FILE", type=Path, help="write one HTML file, or all files as a ZIP")
    parser.add_argument("--lang", choices=LANGUAGES, default="en", help="the language of the report")


def check(options: Namespace, parser: ArgumentParser) -> None:
    """Stop with an error for a path that cannot be written to, before anything is spent."""
    path = options.report
    if path is None:
        return
    if path.suffix not in (PAGE, ARCHIVE):
        parser.error(f"--report needs a name that ends with {PAGE} or {ARCHIVE}")
    if path.is_dir() or not path.absolute().parent.is_dir():
        parser.error("--report needs a file in an existing folder")


def write(options: Namespace, publication: Publication) -> None:
    """Write the report, if one was requested."""
    if options.report is None:
        return
    say = partial(said_in, options.lang)
    if options.report.suffix == ARCHIVE:
        options.report.write_bytes(bundle(publication, say, options.lang))
    else:
        options.report.write_text(html_report(publication, say, options.lang), encoding="utf-8")

"""Report style: how a report looks, in light, in dark, on a phone and on A4; it names no other file."""

from __future__ import annotations

SHADES = 7  # of a heat map: every one of them bears the text in both themes

STYLE = """
:root{color-scheme:light dark;--ink:#0e1216;--soft:#4b555e;--paper:#ffffff;--line:#c9d1d8;--mark:#0b6e66;
--heat:11,110,102}
@media (prefers-color-scheme:dark){:root{--ink:#f0f2f4;--soft:#b3bcc5;--paper:#0e1216;--line:#3b454e;--mark:#4fc3b7;
--heat:79,195,183}}
*{box-sizing:border-box}
body{margin:0;background:var(--paper);color:var(--ink);font:16px/1.5 system-ui,sans-serif;overflow-wrap:anywhere}
main{max-width:52rem;margin:0 auto;padding:1.5rem 1rem 3rem}
h1{font-size:1.7rem;line-height:1.2;margin:0 0 .5rem}
h2{font-size:1.2rem;line-height:1.3;margin:2.2rem 0 .3rem;border-top:1px solid var(--line);padding-top:1rem}
p{margin:.4rem 0}
.quiet{color:var(--soft);font-size:.9rem}
ul{margin:.4rem 0;padding-left:1.2rem}
.wide{overflow-x:auto;margin:.8rem 0}
table{border-collapse:collapse;width:100%;font-size:.92rem;overflow-wrap:normal}
th,td{padding:.3rem .55rem;border-bottom:1px solid var(--line);text-align:left;vertical-align:top}
td.figures{text-align:right;white-space:nowrap;font-variant-numeric:tabular-nums}
th.figures{text-align:right}
td small{display:block;color:var(--ink)}
svg.figure{display:block;width:100%;max-width:34rem;height:auto;margin:.8rem 0;font:12px system-ui,sans-serif}
svg text{fill:var(--ink);paint-order:stroke;stroke:var(--paper);stroke-width:4px}
svg .place{fill:var(--soft);font-size:11px}
svg .number{font-variant-numeric:tabular-nums}
svg .grid{stroke:var(--line);stroke-width:1}
svg .bar{fill:var(--mark);fill-opacity:.3}
svg .reach,svg .strip{stroke:var(--mark);stroke-width:1.6;fill:none}
svg .strip{stroke-width:4;stroke-opacity:.35}
svg .dot{fill:var(--mark)}
""" + "".join(f".heat{at}{{background:rgba(var(--heat),{at * 0.05:.2f})}}\n" for at in range(SHADES))

PRINT = """
@page{size:A4;margin:18mm}
@media print{:root{color-scheme:light;--ink:#000;--soft:#333;--paper:#fff;--line:#999;--mark:#0b6e66;--heat:11,110,102}
body{font-size:10.5pt;print-color-adjust:exact;-webkit-print-color-adjust:exact}
main{max-width:none;padding:0}
.wide{overflow:visible}
svg.figure,tr{break-inside:avoid}
h2{break-after:avoid}
thead{display:table-header-group}}
"""

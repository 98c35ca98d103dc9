"""My requests: where each one stands, and what came out."""

from discreet.ui.office.requests import outbox

outbox.show()

"""My requests: the state of each request, and its result."""

from discreet.ui.office.requests import outbox

outbox.show()

"""My requests: where each one stands, and what came out."""

from ui.office import outbox

outbox.show()

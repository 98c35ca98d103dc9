"""Trail: who did what, and when."""

from ui.office import trail

trail.show()

"""Trail: who did what, and when."""

from discreet.ui.office import trail

trail.show()

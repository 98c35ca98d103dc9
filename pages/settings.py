"""Settings: what every registration begins with, and connections to rows that stay where they are."""

from discreet.ui.office import house_settings

house_settings.show()

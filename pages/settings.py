"""Settings: the defaults of every registration, and the connections to databases whose rows stay there."""

from discreet.ui.office import house_settings

house_settings.show()

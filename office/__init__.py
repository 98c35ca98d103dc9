"""The office: who may ask what of which registered data, who decides, and what was decided.

`House` opens the folder and the database. Officers register datasets (`datasets`), analysts ask
through a `Desk`, officers decide (`decisions`), and everything that was done is on the trail
(`house.audit_log`). Every verb takes the person who acts and refuses a person without the role: a screen that
shows too much would still reach nothing.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from discreet.office.desk.asking import Desk
    from discreet.office.house.house import House, open_house
    from discreet.office.house.roles import Member
    from discreet.office.rules.registration import Policy, Registration

__all__ = ["Desk", "House", "Member", "Policy", "Registration", "open_house"]
_MODULES = {
    "discreet.office.desk.asking": ("Desk",),
    "discreet.office.house.house": ("House", "open_house"),
    "discreet.office.house.roles": ("Member",),
    "discreet.office.rules.registration": ("Policy", "Registration"),
}
_PLACES = {name: module for module, names in _MODULES.items() for name in names}


if not TYPE_CHECKING:  # a type checker sees the imports above, and no others

    def __getattr__(name: str) -> Any:
        """Import what is asked for: a command that looks at a disk waits for no noise."""
        if name not in _PLACES:
            raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
        return getattr(import_module(_PLACES[name]), name)


if __name__ != "discreet.office":  # under a second name every class would be there twice
    raise ImportError("Write discreet.office: this folder is a part of the package discreet.")

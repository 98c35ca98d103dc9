"""The office: who may ask what of which registered data, who decides, and what was decided.

`House` opens the folder and the database. Officers register datasets (`registry`), analysts ask
through a `Desk`, officers decide (`requests`), and everything that was done is on the trail
(`acts`). Every verb takes the person who acts and refuses whoever lacks the role: a screen that
shows too much would still reach nothing.
"""

from discreet.office.desk import Desk
from discreet.office.house import House, open_house
from discreet.office.registration import Policy, Registration
from discreet.office.roles import Member

__all__ = ["Desk", "House", "Member", "Policy", "Registration", "open_house"]

if __name__ != "discreet.office":  # under a second name every class would be there twice
    raise ImportError("Write discreet.office: this folder is a part of the package discreet.")

"""Kinship: registered tables that have rows in common with a table or view, as their database itself says.

A view over a registered table, the table beneath a registered view, two views over one table, a part
of a divided table. It is asked under the address of what is to be registered, for every registered
name in a database of the same name: another spelling of the host, or of the path of a file, hides nothing.
What a view reads from another database, or through a function, no database tells.
"""

from __future__ import annotations

from discreet.office import likeness, places, registry
from discreet.office.house import House
from discreet.rows.connection import Connection, place
from discreet.rows.elsewhere import Address
from discreet.rows.lineage import beneath


def kin(house: House, address: Address | None) -> frozenset[str]:
    """Return the registered data whose table has rows in common with this one."""
    if not isinstance(address, Connection):
        return frozenset()
    every = {data.id: likeness.address_of(house, data) for data in registry.everything(house)}
    theirs = {
        id_: where.table for id_, where in every.items() if isinstance(where, Connection) and _near(where, address)
    }
    if not theirs:
        return frozenset()
    below = places.opened(address, lambda: beneath(address, {address.table, *theirs.values()}))
    mine = below.get(address.table, frozenset())
    return frozenset(id_ for id_, table in theirs.items() if not mine.isdisjoint(below.get(table, ())))


def _near(left: Connection, right: Connection) -> bool:
    """Say whether two databases are of one kind and name; a file is the same by every path that leads to it."""
    names = [(where[0], where[-1]) for where in map(place, (left.address, right.address))]
    return names[0] == names[1]

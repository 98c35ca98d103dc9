"""Course: the lessons and the class mode, with their screens, on public data only. Nothing else imports it."""

if __name__ != "discreet.course":  # imported under a second name, every class would exist twice
    raise ImportError("Write discreet.course: this folder is a part of the package discreet.")

"""Course: the lessons and the class, with their screens, on open data only. Nothing else imports it."""

if __name__ != "discreet.course":  # under a second name every class would be there twice
    raise ImportError("Write discreet.course: this folder is a part of the package discreet.")

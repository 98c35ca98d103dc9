"""The house: its folder and database, its trail of acts, the versions and the vault of rows."""

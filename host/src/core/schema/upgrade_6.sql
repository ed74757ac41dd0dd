-- Version 6: what several servers on one database agree on.
CREATE TABLE cluster (
    name TEXT PRIMARY KEY,
    value BLOB NOT NULL
) STRICT, WITHOUT ROWID;

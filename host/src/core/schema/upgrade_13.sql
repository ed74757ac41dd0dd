-- Version 13: what the servers of one database are called, and what is told of them. A server alone writes nothing here.
CREATE TABLE nodes (
    name TEXT PRIMARY KEY,
    server TEXT NOT NULL,               -- its last start, as in servers
    version TEXT NOT NULL,              -- of its program
    address TEXT NOT NULL,              -- where it listens
    folder TEXT NOT NULL,               -- the id of its data folder: who has that may have the name
    since INTEGER NOT NULL,             -- by the clock of the database
    seen_at INTEGER NOT NULL            -- once it is gone: when it said last that it was there
) STRICT, WITHOUT ROWID;

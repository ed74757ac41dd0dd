-- Version 8: the order of events that several servers publish, and who of them does what one has to do.
ALTER TABLE events ADD COLUMN xact INTEGER NOT NULL DEFAULT 0;       -- the transaction that published it; 0 where one server writes
ALTER TABLE cursors ADD COLUMN last_xact INTEGER NOT NULL DEFAULT 0;

CREATE TABLE leases (
    name TEXT PRIMARY KEY,              -- of the work
    holder TEXT NOT NULL,               -- the server that does it
    epoch INTEGER NOT NULL,             -- grows with each other holder
    ends_at INTEGER NOT NULL            -- by the clock of the database
) STRICT, WITHOUT ROWID;

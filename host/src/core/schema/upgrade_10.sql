-- Version 10: builds and logs of several servers on one database. A server alone writes none of this.
ALTER TABLE builds ADD COLUMN holder TEXT;                          -- the server that runs it
ALTER TABLE builds ADD COLUMN ends_at INTEGER NOT NULL DEFAULT 0;   -- of its claim, by the clock of the database
ALTER TABLE builds ADD COLUMN cancelled TEXT;                       -- why another server wants it to end
ALTER TABLE builds ADD COLUMN tree TEXT;                            -- its output in the object store, until it is published

CREATE TABLE logs (
    slot TEXT NOT NULL,
    id TEXT NOT NULL,
    bytes INTEGER NOT NULL,             -- how long its text is
    status TEXT,                        -- NULL while it goes on
    object TEXT,                        -- the text in the object store; NULL while it is in chunks
    PRIMARY KEY (slot, id)
) STRICT, WITHOUT ROWID;
CREATE INDEX logs_to_move ON logs (slot, id) WHERE status IS NOT NULL AND object IS NULL;

CREATE TABLE log_chunks (
    slot TEXT NOT NULL,
    id TEXT NOT NULL,
    first_byte INTEGER NOT NULL,        -- where it begins in the text
    content BLOB NOT NULL,
    PRIMARY KEY (slot, id, first_byte)
) STRICT, WITHOUT ROWID;

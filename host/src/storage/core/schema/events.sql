CREATE TABLE events (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    publisher TEXT NOT NULL,            -- the slot; empty for the host itself
    topic TEXT NOT NULL,
    data TEXT NOT NULL,
    created_at INTEGER NOT NULL
) STRICT;
CREATE INDEX events_of_publisher ON events (publisher);

CREATE TABLE cursors (
    slot TEXT PRIMARY KEY,
    last_id INTEGER NOT NULL,
    topics TEXT NOT NULL DEFAULT '[]'   -- a JSON array: what the slot is subscribed to
) STRICT, WITHOUT ROWID;

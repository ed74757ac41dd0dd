CREATE TABLE audit (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    at INTEGER NOT NULL,
    actor_kind TEXT NOT NULL CHECK (actor_kind IN ('system', 'admin', 'session', 'token')),
    actor_id TEXT,
    actor_email TEXT,
    action TEXT NOT NULL,
    subject TEXT NOT NULL,
    details TEXT NOT NULL
) STRICT;

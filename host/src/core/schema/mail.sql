-- The outbox of mails. What stands in a mail is sealed, and gone once the mail is done with; the row itself stays for a
-- while, so that the same mail is not queued again.
CREATE TABLE mails (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    key TEXT NOT NULL UNIQUE,
    message_id TEXT NOT NULL,
    kind TEXT NOT NULL CHECK (kind IN ('link', 'note')),
    recipient TEXT NOT NULL,
    sealed BLOB,
    state TEXT NOT NULL DEFAULT 'waiting' CHECK (state IN ('waiting', 'sent', 'dropped')),
    attempts INTEGER NOT NULL DEFAULT 0,
    next_at INTEGER NOT NULL,
    give_up_at INTEGER NOT NULL,
    created_at INTEGER NOT NULL,
    CHECK ((state = 'waiting') = (sealed IS NOT NULL))
) STRICT;
CREATE INDEX mails_waiting ON mails (kind, next_at) WHERE state = 'waiting';
CREATE INDEX mails_by_recipient ON mails (recipient, kind, created_at);

-- Addresses that want no notes.
CREATE TABLE unsubscribed (
    address TEXT PRIMARY KEY,
    created_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

-- The mail server an admin set; at most one row.
CREATE TABLE mail_server (
    "only" INTEGER PRIMARY KEY CHECK ("only" = 1),
    host TEXT NOT NULL,
    port INTEGER NOT NULL,
    "user" TEXT NOT NULL,
    sealed_pass BLOB,
    sender TEXT NOT NULL
) STRICT;

-- Version 12: what servers of one database count together, and what works once at any of them. A server alone writes nothing here.
-- What a minute forgets is not logged: it is empty after the database was killed.
CREATE /* UNLOGGED */ TABLE servers (
    id TEXT PRIMARY KEY,                -- of one start of a server
    ends_at INTEGER NOT NULL            -- when it counts as gone, by the clock of the database
) STRICT, WITHOUT ROWID;

CREATE /* UNLOGGED */ TABLE uses (
    name TEXT PRIMARY KEY,              -- what is used, and by whom
    uses INTEGER NOT NULL,              -- within the minute that
    ends_at INTEGER NOT NULL            -- ends then
) STRICT, WITHOUT ROWID;

CREATE /* UNLOGGED */ TABLE places (
    name TEXT NOT NULL,                 -- what is held, and by whom
    server TEXT NOT NULL,               -- where; it holds nothing once that one is gone
    taken INTEGER NOT NULL,
    PRIMARY KEY (name, server)
) STRICT, WITHOUT ROWID;

CREATE /* UNLOGGED */ TABLE view_codes (
    hash TEXT PRIMARY KEY,              -- of a code that is good once; of nothing when it was redeemed
    session TEXT NOT NULL,              -- the hash of the session whose rights it grants
    project TEXT NOT NULL,
    ends_at INTEGER NOT NULL            -- by the clock of the database
) STRICT, WITHOUT ROWID;
CREATE INDEX view_codes_of ON view_codes (session, project);

CREATE TABLE first_links (
    hash TEXT PRIMARY KEY               -- of the token of a link that makes the first account
) STRICT, WITHOUT ROWID;

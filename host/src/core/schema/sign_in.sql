-- A used or revoked invite stays as a record; whether one is expired follows from the clock.
CREATE TABLE invites (
    id TEXT PRIMARY KEY,
    email TEXT NOT NULL,
    role TEXT NOT NULL CHECK (role IN ('viewer', 'editor', 'admin')),
    token_hash TEXT NOT NULL UNIQUE,
    emailed INTEGER NOT NULL DEFAULT 0,
    created_at INTEGER NOT NULL,
    expires_at INTEGER NOT NULL,
    used_at INTEGER,
    revoked_at INTEGER
) STRICT;
CREATE INDEX invites_by_email ON invites (email);

-- A link is for an account (made by an admin) or for whoever reads the mail of an address. Redeeming it deletes its row.
CREATE TABLE sign_in_links (
    token_hash TEXT PRIMARY KEY,
    user_id TEXT REFERENCES accounts (id) ON DELETE CASCADE,
    email TEXT,
    expires_at INTEGER NOT NULL,
    CHECK ((user_id IS NULL) <> (email IS NULL))
) STRICT;
CREATE INDEX sign_in_links_by_user ON sign_in_links (user_id);
CREATE INDEX sign_in_links_by_email ON sign_in_links (email);

-- Whom another service knows under an id of its own. That id is the key: logins and addresses change hands.
CREATE TABLE identities (
    provider TEXT NOT NULL,
    subject TEXT NOT NULL,
    login TEXT NOT NULL,
    user_id TEXT NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
    created_at INTEGER NOT NULL,
    PRIMARY KEY (provider, subject)
) STRICT, WITHOUT ROWID;
CREATE INDEX identities_by_user ON identities (user_id);

-- What people let this server do for them at the code host, sealed.
CREATE TABLE code_host_tokens (
    user_id TEXT PRIMARY KEY REFERENCES accounts (id) ON DELETE CASCADE,
    sealed BLOB NOT NULL,
    updated_at INTEGER NOT NULL
) STRICT;

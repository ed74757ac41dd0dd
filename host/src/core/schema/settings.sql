CREATE TABLE settings (
    key TEXT PRIMARY KEY,
    value TEXT NOT NULL
) STRICT, WITHOUT ROWID;

CREATE TABLE domain_rules (
    domain TEXT PRIMARY KEY,
    role TEXT NOT NULL CHECK (role IN ('viewer', 'editor', 'admin'))
) STRICT, WITHOUT ROWID;

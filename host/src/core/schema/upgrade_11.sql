-- Version 11: which plugins the servers of one database run. A server alone writes nothing here.
CREATE TABLE approvals (
    "only" INTEGER PRIMARY KEY CHECK ("only" = 1),
    number INTEGER NOT NULL,            -- grows with each change
    document TEXT NOT NULL              -- the text of a plugins.lock
) STRICT;

-- What came with the programs of these servers, and was followed once.
CREATE TABLE bundles (
    sha256 TEXT PRIMARY KEY,            -- of the bundle
    program TEXT NOT NULL,              -- the program's version
    followed_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

-- What approved components say of themselves, for servers that do not have the component.
CREATE TABLE manifests (
    sha256 TEXT PRIMARY KEY,            -- of the component
    manifest TEXT NOT NULL
) STRICT, WITHOUT ROWID;

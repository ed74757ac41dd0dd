-- Version 7: what the servers of one database hold in memory, and which of it has changed. A server alone writes nothing here.
CREATE TABLE generation (
    "only" INTEGER PRIMARY KEY CHECK ("only" = 1),
    value INTEGER NOT NULL              -- grows with each change of what is held in memory
) STRICT;
INSERT INTO generation ("only", value) VALUES (1, 0);

CREATE TABLE changes (
    generation INTEGER PRIMARY KEY,
    kind TEXT NOT NULL,                 -- what changed: a project, the settings, the mail server
    id TEXT NOT NULL                    -- the project; empty where there is one of a kind
) STRICT;

-- Version 4: jobs of plugins.
CREATE TABLE jobs (
    slot TEXT NOT NULL,
    name TEXT NOT NULL,
    schedule TEXT NOT NULL,             -- as the manifest says it; another one makes the job due anew
    due_at INTEGER NOT NULL,
    ran_at INTEGER,                     -- when the last run ended
    failures INTEGER NOT NULL DEFAULT 0,    -- runs in a row
    reason TEXT,                        -- of the last run, when it failed
    PRIMARY KEY (slot, name)
) STRICT, WITHOUT ROWID;

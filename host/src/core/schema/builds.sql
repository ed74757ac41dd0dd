-- What shall be, is being and was built. Rows of ended builds stay until the slot forgets them.
CREATE TABLE builds (
    seq INTEGER PRIMARY KEY AUTOINCREMENT,
    slot TEXT NOT NULL,
    id TEXT NOT NULL,
    project_id TEXT NOT NULL REFERENCES projects (id) ON DELETE CASCADE,
    spec TEXT NOT NULL,
    state TEXT NOT NULL CHECK (state IN ('queued', 'running', 'ended')),
    created_at INTEGER NOT NULL,
    UNIQUE (slot, id)
) STRICT;
-- A project has one build at a time, whatever asks.
CREATE UNIQUE INDEX builds_one_for_project ON builds (project_id) WHERE state <> 'ended';
CREATE INDEX builds_waiting ON builds (state, seq) WHERE state <> 'ended';

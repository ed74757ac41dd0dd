-- The signatures of the deliveries of the last day. The id of a delivery is not signed: a recorded one could come again
-- under another id.
CREATE TABLE signatures (
  signature TEXT PRIMARY KEY,
  delivery_id TEXT NOT NULL,
  received_at INTEGER NOT NULL          -- milliseconds since 1970
) WITHOUT ROWID;
CREATE INDEX signatures_by_age ON signatures (received_at);

-- What became of each push, one row for each project that was connected to the repository when it came.
CREATE TABLE delivery_log (
  seq INTEGER PRIMARY KEY,
  project_id TEXT NOT NULL,
  delivery_id TEXT NOT NULL,
  received_at TEXT NOT NULL,
  received_ms INTEGER NOT NULL,
  repository_id INTEGER NOT NULL,
  repository TEXT NOT NULL,             -- what the repository was called then
  branch TEXT,                          -- NULL when no branch was pushed
  commit_sha TEXT NOT NULL,
  outcome TEXT NOT NULL CHECK (outcome IN ('queued', 'ignored')),
  reason TEXT,                          -- why it was ignored
  deployment_id TEXT                    -- what was built of it
);
CREATE UNIQUE INDEX delivery_log_of_project ON delivery_log (project_id, delivery_id);
CREATE INDEX delivery_log_by_age ON delivery_log (received_ms);

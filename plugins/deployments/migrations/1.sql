-- What was deployed, in order; `seq` is that order. The files are the host's: a deployment that is ready is the version of
-- the same id in the project's site.
CREATE TABLE deployments (
  seq INTEGER PRIMARY KEY,
  id TEXT NOT NULL UNIQUE,
  project_id TEXT NOT NULL,
  status TEXT NOT NULL CHECK (status IN ('building', 'ready', 'failed')),
  source TEXT NOT NULL CHECK (source IN ('upload', 'build')),
  commit_sha TEXT,
  branch TEXT,
  created_at TEXT NOT NULL,
  finished_at TEXT,
  created_by TEXT,                      -- an account's id; NULL for the admin bearer and for pushes
  delivery TEXT,                        -- the delivery of the push it was built for
  file_count INTEGER NOT NULL,
  size_bytes INTEGER NOT NULL
);
CREATE INDEX deployments_of_project ON deployments (project_id);
-- What the start has to look at after a crash.
CREATE INDEX deployments_unfinished ON deployments (status) WHERE status = 'building';
-- One delivery is built once.
CREATE UNIQUE INDEX deployments_of_delivery ON deployments (project_id, delivery) WHERE delivery IS NOT NULL;

-- The newest push of each project that waits for the build before it. Later pushes take its place.
CREATE TABLE wanted_builds (
  project_id TEXT PRIMARY KEY,
  deployment_id TEXT NOT NULL,          -- what the deployment will be called, so that a crash makes one, not two
  branch TEXT,
  commit_sha TEXT,
  delivery TEXT NOT NULL
) WITHOUT ROWID;

-- A number for each deployment in its project, and what its first page shows of itself.
ALTER TABLE deployments ADD COLUMN number INTEGER NOT NULL DEFAULT 0;
ALTER TABLE deployments ADD COLUMN title TEXT;
ALTER TABLE deployments ADD COLUMN colour TEXT;
ALTER TABLE deployments ADD COLUMN icon TEXT;   -- a data: address; NULL in those made before, as title and colour
UPDATE deployments SET number = place
FROM (SELECT seq AS made, row_number() OVER (PARTITION BY project_id ORDER BY seq) AS place FROM deployments)
WHERE seq = made;
DROP INDEX deployments_of_project;
CREATE UNIQUE INDEX deployments_by_number ON deployments (project_id, number);

-- The last number that was given in each project that ever had a deployment. A number is not given twice, also when its
-- deployment was deleted.
CREATE TABLE numbers (
  project_id TEXT PRIMARY KEY,
  last INTEGER NOT NULL
) WITHOUT ROWID;
INSERT INTO numbers (project_id, last) SELECT project_id, max(number) FROM deployments GROUP BY project_id;

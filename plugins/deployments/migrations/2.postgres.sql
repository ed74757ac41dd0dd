-- A number for each deployment in its project, and what its first page shows of itself.
ALTER TABLE deployments ADD COLUMN number int8 NOT NULL DEFAULT 0;
ALTER TABLE deployments ADD COLUMN title text COLLATE "C";
ALTER TABLE deployments ADD COLUMN colour text COLLATE "C";
ALTER TABLE deployments ADD COLUMN icon text COLLATE "C";  -- a data: address; NULL in those made before, as title and colour
UPDATE deployments SET number = places.place
FROM (SELECT seq, row_number() OVER (PARTITION BY project_id ORDER BY seq) AS place FROM deployments) AS places
WHERE places.seq = deployments.seq;
DROP INDEX deployments_of_project;
CREATE UNIQUE INDEX deployments_by_number ON deployments (project_id, number);

-- The last number that was given in each project that ever had a deployment. A number is not given twice, also when its
-- deployment was deleted.
CREATE TABLE numbers (
  project_id text COLLATE "C" PRIMARY KEY,
  last int8 NOT NULL
);
INSERT INTO numbers (project_id, last) SELECT project_id, max(number) FROM deployments GROUP BY project_id;

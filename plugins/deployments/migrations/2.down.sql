DROP TABLE numbers;
DROP INDEX deployments_by_number;
ALTER TABLE deployments DROP COLUMN icon;
ALTER TABLE deployments DROP COLUMN colour;
ALTER TABLE deployments DROP COLUMN title;
ALTER TABLE deployments DROP COLUMN number;
CREATE INDEX deployments_of_project ON deployments (project_id);

-- How often somebody was greeted in a project.
CREATE TABLE greetings (
  project_id TEXT NOT NULL,
  name TEXT NOT NULL,
  times INTEGER NOT NULL DEFAULT 1,
  PRIMARY KEY (project_id, name)
);

// The plugin's tables, step by step. A later change is a further step, never an edit of one that ran.

export default [
  `-- How often somebody was greeted in a project.
   CREATE TABLE greetings (
     project_id TEXT NOT NULL,
     name TEXT NOT NULL,
     times INTEGER NOT NULL DEFAULT 1,
     PRIMARY KEY (project_id, name)
   )`,
];

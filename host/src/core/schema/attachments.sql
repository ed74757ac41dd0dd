-- One value of each plugin for each project, shown in the project's record.
CREATE TABLE attachments (
    project_id TEXT NOT NULL REFERENCES projects (id) ON DELETE CASCADE,
    slot TEXT NOT NULL,
    value TEXT NOT NULL,
    PRIMARY KEY (project_id, slot)
) STRICT, WITHOUT ROWID;

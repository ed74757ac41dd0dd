-- Who approved which deployment of which project, under the name of then.
CREATE TABLE approvals (
    project_id TEXT NOT NULL,
    deployment_id TEXT NOT NULL,
    user_id TEXT NOT NULL,
    name TEXT NOT NULL,
    at TEXT NOT NULL,
    PRIMARY KEY (project_id, deployment_id, user_id)
) STRICT, WITHOUT ROWID;

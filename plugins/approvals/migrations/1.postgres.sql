-- Who approved which deployment of which project, under the name of then.
CREATE TABLE approvals (
    project_id text COLLATE "C" NOT NULL,
    deployment_id text COLLATE "C" NOT NULL,
    user_id text COLLATE "C" NOT NULL,
    name text COLLATE "C" NOT NULL,
    at text COLLATE "C" NOT NULL,
    PRIMARY KEY (project_id, deployment_id, user_id)
);

-- Comments in the order they were written; `seq` is that order.
CREATE TABLE comments (
  seq INTEGER PRIMARY KEY,
  id TEXT NOT NULL UNIQUE,
  project_id TEXT NOT NULL,
  body TEXT NOT NULL,
  anchor_selector TEXT NOT NULL,
  page TEXT NOT NULL,
  author_uid TEXT NOT NULL,
  author_name TEXT NOT NULL,
  mentions TEXT NOT NULL,               -- a JSON array of participant ids; stands in answers as it is
  resolved INTEGER NOT NULL DEFAULT 0,
  replies INTEGER NOT NULL DEFAULT 0,   -- how many there are, so that the bound needs no counting
  reply_bytes INTEGER NOT NULL DEFAULT 0, -- and what they weigh together: a comment and its replies are one answer
  created_at TEXT NOT NULL,
  updated_at TEXT NOT NULL
);
CREATE INDEX comments_of_project ON comments (project_id);

CREATE TABLE replies (
  seq INTEGER PRIMARY KEY,
  id TEXT NOT NULL UNIQUE,
  project_id TEXT NOT NULL,
  comment_seq INTEGER NOT NULL,
  body TEXT NOT NULL,
  author_uid TEXT NOT NULL,
  author_name TEXT NOT NULL,
  mentions TEXT NOT NULL,
  created_at TEXT NOT NULL
);
CREATE INDEX replies_of_comment ON replies (project_id, comment_seq);

-- Who can be mentioned in a project. An invited address keeps its id when it becomes active.
CREATE TABLE participants (
  seq INTEGER PRIMARY KEY,
  project_id TEXT NOT NULL,
  id TEXT NOT NULL,
  email TEXT NOT NULL,                  -- lower-case
  display_name TEXT NOT NULL,
  status TEXT NOT NULL CHECK (status IN ('active', 'pending')),
  UNIQUE (project_id, id),
  UNIQUE (project_id, email)
);

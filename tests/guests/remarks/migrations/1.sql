-- Comments and the answers to them are one kind of thing: a remark. `key` is the order they were written in.
CREATE TABLE remark (
  key INTEGER PRIMARY KEY,
  id TEXT NOT NULL UNIQUE,
  project TEXT NOT NULL,
  answers INTEGER,                      -- the key of the comment that it answers; NULL for a comment
  words TEXT NOT NULL,
  number INTEGER,                       -- this, and what is below it down to `done_at`: of comments only
  element TEXT NOT NULL DEFAULT '',
  page TEXT NOT NULL DEFAULT '',
  evidence TEXT NOT NULL DEFAULT '',
  seen_on TEXT NOT NULL DEFAULT '',     -- the deployment
  done_by TEXT NOT NULL DEFAULT '',
  done_by_name TEXT NOT NULL DEFAULT '',
  done_at TEXT NOT NULL DEFAULT '',
  sent_as TEXT,                         -- the client's key
  reworded TEXT NOT NULL DEFAULT '',    -- when its words were changed
  writer TEXT NOT NULL,
  writer_name TEXT NOT NULL,
  is_done INTEGER NOT NULL DEFAULT 0,
  written TEXT NOT NULL,
  changed TEXT NOT NULL
) STRICT;
CREATE INDEX remarks_of_project ON remark (project, answers);
CREATE INDEX answers_of_remark ON remark (answers);
CREATE UNIQUE INDEX sent_once ON remark (project, coalesce(answers, 0), writer, sent_as);

-- The last number of each project's comments.
CREATE TABLE counter (
  project TEXT PRIMARY KEY,
  number INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

-- How far an account has read.
CREATE TABLE progress (
  project TEXT NOT NULL,
  account TEXT NOT NULL,
  number INTEGER NOT NULL,
  moment TEXT NOT NULL,
  PRIMARY KEY (project, account)
) STRICT, WITHOUT ROWID;

-- The images of comments, in this order. `is_shown` is 0 while one is stored, and when it can be deleted.
CREATE TABLE picture (
  key INTEGER PRIMARY KEY,
  id TEXT NOT NULL UNIQUE,
  project TEXT NOT NULL,
  remark TEXT NOT NULL,
  kind TEXT NOT NULL,
  size INTEGER NOT NULL,
  facts TEXT NOT NULL,                  -- a JSON object; stands in answers as it is
  is_shown INTEGER NOT NULL,
  since TEXT NOT NULL
) STRICT;
CREATE INDEX pictures_of_remark ON picture (project, remark);

-- Whom a remark mentions, in this order.
CREATE TABLE mention (
  remark TEXT NOT NULL,
  place INTEGER NOT NULL,
  person TEXT NOT NULL,
  PRIMARY KEY (remark, place)
) STRICT, WITHOUT ROWID;

CREATE TABLE person (
  key INTEGER PRIMARY KEY,
  project TEXT NOT NULL,
  id TEXT NOT NULL,
  address TEXT NOT NULL,
  name TEXT NOT NULL,
  has_written INTEGER NOT NULL,
  UNIQUE (project, id),
  UNIQUE (project, address)
) STRICT;

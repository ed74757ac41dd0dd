-- Comments and the answers to them are one kind of thing: a remark. `key` is the order they were written in.
CREATE TABLE remark (
  key INTEGER PRIMARY KEY,
  id TEXT NOT NULL UNIQUE,
  project TEXT NOT NULL,
  answers INTEGER,                      -- the key of the comment that it answers; NULL for a comment
  words TEXT NOT NULL,
  element TEXT NOT NULL DEFAULT '',     -- this and the page: of comments only
  page TEXT NOT NULL DEFAULT '',
  writer TEXT NOT NULL,
  writer_name TEXT NOT NULL,
  is_done INTEGER NOT NULL DEFAULT 0,
  written TEXT NOT NULL,
  changed TEXT NOT NULL
) STRICT;
CREATE INDEX remarks_of_project ON remark (project, answers);
CREATE INDEX answers_of_remark ON remark (answers);

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

-- What is not there is the empty text.
ALTER TABLE comments ADD COLUMN number int8 NOT NULL DEFAULT 0;                         -- 1, 2, … in its project
ALTER TABLE comments ADD COLUMN anchor text COLLATE "C" NOT NULL DEFAULT '';            -- a JSON object; stands in answers as it is
ALTER TABLE comments ADD COLUMN deployment_id text COLLATE "C" NOT NULL DEFAULT '';     -- what its author saw
ALTER TABLE comments ADD COLUMN client_key text COLLATE "C" NOT NULL DEFAULT '';        -- by which a client recognizes what it sent twice
ALTER TABLE comments ADD COLUMN images text COLLATE "C" NOT NULL DEFAULT '[]';          -- a JSON array; stands in answers as it is
ALTER TABLE comments ADD COLUMN resolved_by_uid text COLLATE "C" NOT NULL DEFAULT '';
ALTER TABLE comments ADD COLUMN resolved_by_name text COLLATE "C" NOT NULL DEFAULT '';
ALTER TABLE comments ADD COLUMN resolved_at text COLLATE "C" NOT NULL DEFAULT '';
ALTER TABLE comments ADD COLUMN edited_at text COLLATE "C" NOT NULL DEFAULT '';         -- when its text was changed
ALTER TABLE comments ADD COLUMN last_reply_uid text COLLATE "C" NOT NULL DEFAULT '';    -- this and the next: so that `unread` needs no
ALTER TABLE comments ADD COLUMN last_reply_at text COLLATE "C" NOT NULL DEFAULT '';     -- look at the replies

ALTER TABLE replies ADD COLUMN client_key text COLLATE "C" NOT NULL DEFAULT '';
ALTER TABLE replies ADD COLUMN updated_at text COLLATE "C" NOT NULL DEFAULT '';
ALTER TABLE replies ADD COLUMN edited_at text COLLATE "C" NOT NULL DEFAULT '';

-- The last number of each project. It stays when its comment is deleted: no number means two comments.
CREATE TABLE numbers (
  project_id text COLLATE "C" PRIMARY KEY,
  last int8 NOT NULL
);

-- What an account has read of a project: comments up to a number, replies up to a time.
CREATE TABLE seen (
  project_id text COLLATE "C" NOT NULL,
  account_id text COLLATE "C" NOT NULL,
  number int8 NOT NULL,
  at text COLLATE "C" NOT NULL,
  PRIMARY KEY (project_id, account_id)
);

-- One row for each stored image, written before its bytes are and deleted after them.
CREATE TABLE image_files (
  id text COLLATE "C" PRIMARY KEY,
  project_id text COLLATE "C" NOT NULL,
  comment_id text COLLATE "C" NOT NULL,
  type text COLLATE "C" NOT NULL,       -- image/png, image/jpeg or image/webp
  bytes int8 NOT NULL,
  shown int8 NOT NULL,                  -- 0: its comment does not show it (yet, or any more), and its bytes can be deleted
  since text COLLATE "C" NOT NULL       -- when `shown` became what it is
);
CREATE INDEX image_files_of_comment ON image_files (project_id, comment_id);
CREATE INDEX image_files_not_shown ON image_files (since) WHERE shown = 0;

UPDATE comments SET number = place.number
FROM (SELECT seq, row_number() OVER (PARTITION BY project_id ORDER BY seq) AS number FROM comments) AS place
WHERE place.seq = comments.seq;

INSERT INTO numbers (project_id, last) SELECT project_id, max(number) FROM comments GROUP BY project_id;

UPDATE comments SET last_reply_uid = newest.author_uid, last_reply_at = newest.created_at
FROM (SELECT DISTINCT ON (comment_seq) comment_seq, author_uid, created_at FROM replies ORDER BY comment_seq, seq DESC) AS newest
WHERE newest.comment_seq = comments.seq;

UPDATE replies SET updated_at = created_at;

-- Everything that the summary reads.
CREATE INDEX comments_in_summary ON comments
  (project_id, number, resolved, author_uid, created_at, last_reply_uid, last_reply_at);
CREATE UNIQUE INDEX comments_of_client ON comments (project_id, author_uid, client_key) WHERE client_key <> '';
CREATE UNIQUE INDEX replies_of_client ON replies (comment_seq, author_uid, client_key) WHERE client_key <> '';

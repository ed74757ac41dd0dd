INSERT INTO remark (key, id, project, number, words, element, page, evidence, seen_on, done_by, done_by_name, done_at, sent_as,
  reworded, writer, writer_name, is_done, written, changed)
SELECT seq, id, project_id, number, body, anchor_selector, page, anchor, deployment_id, resolved_by_uid, resolved_by_name,
  resolved_at, nullif(client_key, ''), edited_at, author_uid, author_name, resolved, created_at, updated_at
FROM comments;

-- Behind all comments: two remarks cannot have one key.
INSERT INTO remark (key, id, project, answers, words, sent_as, reworded, writer, writer_name, written, changed)
SELECT seq + (SELECT coalesce(max(seq), 0) FROM comments), id, project_id, comment_seq, body, nullif(client_key, ''), edited_at,
  author_uid, author_name, created_at, updated_at
FROM replies;

INSERT INTO mention (remark, place, person)
SELECT source.id, given.key, given.value
FROM (SELECT id, mentions FROM comments UNION ALL SELECT id, mentions FROM replies) AS source,
  json_each(source.mentions) AS given;

INSERT INTO person (key, project, id, address, name, has_written)
SELECT seq, project_id, id, email, display_name, status = 'active' FROM participants;

INSERT INTO counter (project, number) SELECT project_id, last FROM numbers;
INSERT INTO progress (project, account, number, moment) SELECT project_id, account_id, number, at FROM seen;

INSERT INTO picture (id, project, remark, kind, size, facts, is_shown, since)
SELECT image_files.id, image_files.project_id, comment_id, image_files.type, bytes, coalesce(given.value, '{}'), shown, since
FROM image_files
LEFT JOIN comments ON comments.id = comment_id
LEFT JOIN json_each(comments.images) AS given ON given.value ->> 'id' = image_files.id
ORDER BY comment_id, given.key;

DROP TABLE comments;
DROP TABLE replies;
DROP TABLE participants;
DROP TABLE numbers;
DROP TABLE seen;
DROP TABLE image_files;

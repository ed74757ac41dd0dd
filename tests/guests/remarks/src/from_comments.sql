INSERT INTO remark (key, id, project, words, element, page, writer, writer_name, is_done, written, changed)
SELECT seq, id, project_id, body, anchor_selector, page, author_uid, author_name, resolved, created_at, updated_at
FROM comments;

-- Behind all comments: two remarks cannot have one key.
INSERT INTO remark (key, id, project, answers, words, writer, writer_name, written, changed)
SELECT seq + (SELECT coalesce(max(seq), 0) FROM comments), id, project_id, comment_seq, body, author_uid, author_name,
  created_at, created_at
FROM replies;

INSERT INTO mention (remark, place, person)
SELECT source.id, given.key, given.value
FROM (SELECT id, mentions FROM comments UNION ALL SELECT id, mentions FROM replies) AS source,
  json_each(source.mentions) AS given;

INSERT INTO person (key, project, id, address, name, has_written)
SELECT seq, project_id, id, email, display_name, status = 'active' FROM participants;

DROP TABLE comments;
DROP TABLE replies;
DROP TABLE participants;

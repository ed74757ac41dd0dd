INSERT INTO comments
  (seq, id, project_id, number, body, anchor_selector, page, anchor, deployment_id, client_key, author_uid, author_name, mentions,
   images, resolved, resolved_by_uid, resolved_by_name, resolved_at, edited_at, last_reply_uid, last_reply_at, replies,
   reply_bytes, created_at, updated_at)
SELECT key, id, project, number, words, element, page, evidence, seen_on, coalesce(sent_as, ''), writer, writer_name,
  (SELECT json_group_array(person ORDER BY place) FROM mention WHERE mention.remark = remark.id),
  (SELECT json_group_array(json(facts) ORDER BY picture.key) FROM picture WHERE picture.remark = remark.id AND is_shown),
  is_done, done_by, done_by_name, done_at, reworded,
  coalesce((SELECT writer FROM remark AS answer WHERE answer.answers = remark.key ORDER BY key DESC LIMIT 1), ''),
  coalesce((SELECT written FROM remark AS answer WHERE answer.answers = remark.key ORDER BY key DESC LIMIT 1), ''),
  (SELECT count(*) FROM remark AS answer WHERE answer.answers = remark.key),
  (SELECT coalesce(sum(octet_length(words)), 0) FROM remark AS answer WHERE answer.answers = remark.key),
  written, changed
FROM remark WHERE answers IS NULL;

INSERT INTO replies (seq, id, project_id, comment_seq, body, client_key, edited_at, author_uid, author_name, mentions, created_at,
  updated_at)
SELECT key, id, project, answers, words, coalesce(sent_as, ''), reworded, writer, writer_name,
  (SELECT json_group_array(person ORDER BY place) FROM mention WHERE mention.remark = remark.id), written, changed
FROM remark WHERE answers IS NOT NULL;

INSERT INTO participants (seq, project_id, id, email, display_name, status)
SELECT key, project, id, address, name, iif(has_written, 'active', 'pending') FROM person;

INSERT INTO numbers (project_id, last) SELECT project, number FROM counter;
INSERT INTO seen (project_id, account_id, number, at) SELECT project, account, number, moment FROM progress;

INSERT INTO image_files (id, project_id, comment_id, type, bytes, shown, since)
SELECT id, project, remark, kind, size, is_shown, since FROM picture;

DROP TABLE mention;
DROP TABLE remark;
DROP TABLE person;
DROP TABLE counter;
DROP TABLE progress;
DROP TABLE picture;

INSERT INTO comments
  (seq, id, project_id, body, anchor_selector, page, author_uid, author_name, mentions, resolved, replies, reply_bytes,
   created_at, updated_at)
SELECT key, id, project, words, element, page, writer, writer_name,
  (SELECT json_group_array(person ORDER BY place) FROM mention WHERE mention.remark = remark.id), is_done,
  (SELECT count(*) FROM remark AS answer WHERE answer.answers = remark.key),
  (SELECT coalesce(sum(octet_length(words)), 0) FROM remark AS answer WHERE answer.answers = remark.key),
  written, changed
FROM remark WHERE answers IS NULL;

INSERT INTO replies (seq, id, project_id, comment_seq, body, author_uid, author_name, mentions, created_at)
SELECT key, id, project, answers, words, writer, writer_name,
  (SELECT json_group_array(person ORDER BY place) FROM mention WHERE mention.remark = remark.id), written
FROM remark WHERE answers IS NOT NULL;

INSERT INTO participants (seq, project_id, id, email, display_name, status)
SELECT key, project, id, address, name, iif(has_written, 'active', 'pending') FROM person;

DROP TABLE mention;
DROP TABLE remark;
DROP TABLE person;

-- Version 2: who published an event and what a slot awaits, which invites were mailed, and who causes a mail.
ALTER TABLE events ADD COLUMN publisher TEXT NOT NULL DEFAULT '';   -- the slot; empty for the host itself
CREATE INDEX events_of_publisher ON events (publisher);

ALTER TABLE cursors ADD COLUMN topics TEXT NOT NULL DEFAULT '[]';   -- a JSON array: what the slot is subscribed to
-- A slot says what it is subscribed to when it starts. One that is disabled keeps what it may wait for.
UPDATE cursors SET topics = (SELECT '["' || string_agg(topic, '","') || '"]' FROM (
    SELECT topic FROM events UNION VALUES ('account-removed'), ('build-finished'), ('project-deleted')) AS known);

-- `emailed` said that a mail was queued, not that the mail server took it.
ALTER TABLE invites DROP COLUMN emailed;
ALTER TABLE invites ADD COLUMN emailed_at INTEGER;  -- when the mail server took the mail with the present link

ALTER TABLE mails ADD COLUMN invite TEXT;           -- the invite whose present link it holds
ALTER TABLE mails ADD COLUMN sender TEXT;           -- who causes it, when its recipient has no account
CREATE INDEX mails_by_invite ON mails (invite) WHERE invite IS NOT NULL;
CREATE INDEX mails_by_sender ON mails (sender, recipient, created_at) WHERE sender IS NOT NULL;

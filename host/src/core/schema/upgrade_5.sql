-- Version 5: sessions that their owner can tell apart.
ALTER TABLE sessions ADD COLUMN browser TEXT;   -- in words; empty where nothing is known of it

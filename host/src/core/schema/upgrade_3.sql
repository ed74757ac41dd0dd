-- Version 3: deliveries of events that failed.
CREATE TABLE failed_deliveries (
    slot TEXT NOT NULL,                 -- who did not take it
    event_id INTEGER NOT NULL,
    publisher TEXT NOT NULL,
    topic TEXT NOT NULL,
    data TEXT NOT NULL,
    published_at INTEGER NOT NULL,
    attempts INTEGER NOT NULL,
    failing_since INTEGER NOT NULL,     -- when the first attempt failed
    reason TEXT NOT NULL,               -- of the last failure
    set_aside_at INTEGER,               -- empty while the event still waits in its place
    is_retried INTEGER NOT NULL DEFAULT 0,  -- whether the operator wants one more attempt
    PRIMARY KEY (slot, event_id)
) STRICT, WITHOUT ROWID;

-- Deliveries of the last day: one that comes again is answered as it was, and does nothing.
CREATE TABLE deliveries (
  id TEXT PRIMARY KEY,
  queued INTEGER NOT NULL,              -- how many builds it asked for
  received_at INTEGER NOT NULL          -- milliseconds since 1970
) WITHOUT ROWID;
CREATE INDEX deliveries_by_age ON deliveries (received_at);

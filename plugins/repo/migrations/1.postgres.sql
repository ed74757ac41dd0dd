-- Deliveries of the last day: one that comes again is answered as it was, and does nothing.
CREATE TABLE deliveries (
  id text COLLATE "C" PRIMARY KEY,
  queued int8 NOT NULL,                 -- how many builds it asked for
  received_at int8 NOT NULL             -- milliseconds since 1970
);
CREATE INDEX deliveries_by_age ON deliveries (received_at);

-- Version 9: where the data of slots are when they are databases of a PostgreSQL. A server alone writes nothing here.
CREATE TABLE slot_databases (
    slot TEXT NOT NULL,
    schema TEXT NOT NULL,
    name TEXT NOT NULL UNIQUE,          -- of the database, and of the role that uses it
    password BLOB NOT NULL,             -- of the role, sealed
    relayed INTEGER NOT NULL DEFAULT 0, -- the number of the last event of its database that was published
    PRIMARY KEY (slot, schema)
) STRICT;

-- Credits: money that the house owes under a code, which is the key. What is left is the sum of a body's entries.
CREATE TABLE credit (
    key TEXT NOT NULL PRIMARY KEY, version BIGINT NOT NULL CHECK (version > 0), recorded_at BIGINT NOT NULL, written_by TEXT NOT NULL, body TEXT NOT NULL,
    remaining BIGINT NOT NULL CHECK (remaining >= 0)
){table};
CREATE INDEX credit_open ON credit (key) WHERE remaining > 0;

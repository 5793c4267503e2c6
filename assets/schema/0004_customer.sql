-- Customers: other documents name one by id, and only this table has name, phone, mail and note. The journal has a hash of
-- the body. The column searched is the name without case and accents, then the digits of the phone.
CREATE TABLE customer (
    key TEXT NOT NULL PRIMARY KEY, version BIGINT NOT NULL CHECK (version > 0), recorded_at BIGINT NOT NULL, written_by TEXT NOT NULL, body TEXT NOT NULL,
    searched TEXT NOT NULL
){table};
CREATE INDEX customer_searched ON customer (searched);

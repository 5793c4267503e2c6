-- PINs of the operators, in one document: hashes stand in its words, behind the salt of the house.
CREATE TABLE pins (
    key TEXT NOT NULL PRIMARY KEY, version BIGINT NOT NULL CHECK (version > 0), recorded_at BIGINT NOT NULL, written_by TEXT NOT NULL, body TEXT NOT NULL,
    words TEXT NOT NULL DEFAULT ''
){table};

-- The secret that codes of tickets are made with; a code begins with the end of its receipt's id.
CREATE TABLE ticket_key (
    key TEXT NOT NULL PRIMARY KEY, version BIGINT NOT NULL CHECK (version > 0), recorded_at BIGINT NOT NULL, written_by TEXT NOT NULL, body TEXT NOT NULL,
    words TEXT NOT NULL DEFAULT ''
){table};
CREATE INDEX receipt_end ON receipt (substr(key, 32));

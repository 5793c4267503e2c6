-- Tills: the drawer of a station, from its opening to its count; numbered without gaps per station.
CREATE TABLE till (
    key TEXT NOT NULL PRIMARY KEY, version BIGINT NOT NULL CHECK (version > 0), recorded_at BIGINT NOT NULL, written_by TEXT NOT NULL, body TEXT NOT NULL,
    words TEXT NOT NULL DEFAULT '', station TEXT NOT NULL, opened_at BIGINT NOT NULL, closed_at BIGINT NOT NULL
){table};
CREATE INDEX till_opened ON till (opened_at);

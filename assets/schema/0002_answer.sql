-- Printed answers of commands whose id was given: sent again, a command prints the same. They are forgotten with the rest
-- of the history, the oldest first.
CREATE TABLE answer (
    command TEXT NOT NULL PRIMARY KEY, line TEXT NOT NULL, people TEXT NOT NULL, json TEXT NOT NULL, code BIGINT NOT NULL,
    at BIGINT NOT NULL DEFAULT 0
){table};
CREATE INDEX answer_at ON answer (at);

-- Printed answers of commands whose id was given: sent again, a command prints the same.
CREATE TABLE answer (
    command TEXT NOT NULL PRIMARY KEY, line TEXT NOT NULL, people TEXT NOT NULL, json TEXT NOT NULL, code BIGINT NOT NULL
){table};

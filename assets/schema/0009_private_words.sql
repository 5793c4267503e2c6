-- Private texts stand apart from the body of their document: behind a salt, and empty once they are forgotten. The journal
-- has a hash of them. An entry of the journal says one text, packed; what the journal before said stays in the copy that
-- is made before this migration.
ALTER TABLE booking ADD COLUMN words TEXT NOT NULL DEFAULT '';
ALTER TABLE cart ADD COLUMN words TEXT NOT NULL DEFAULT '';
ALTER TABLE customer ADD COLUMN words TEXT NOT NULL DEFAULT '';
ALTER TABLE keep ADD COLUMN words TEXT NOT NULL DEFAULT '';
ALTER TABLE receipt ADD COLUMN words TEXT NOT NULL DEFAULT '';
ALTER TABLE series ADD COLUMN words TEXT NOT NULL DEFAULT '';
ALTER TABLE work ADD COLUMN words TEXT NOT NULL DEFAULT '';
-- What a performance lost is found by the performance.
ALTER TABLE work ADD COLUMN performance TEXT NOT NULL DEFAULT '';
CREATE INDEX work_performance ON work (performance) WHERE performance <> '';
-- Names with a slip are found by a scan.
DROP INDEX customer_last_word;
DROP INDEX customer_first_back;
DROP INDEX customer_last_back;
DROP INDEX customer_phone_back;
ALTER TABLE customer DROP COLUMN last_word;
ALTER TABLE customer DROP COLUMN first_back;
ALTER TABLE customer DROP COLUMN last_back;
ALTER TABLE customer DROP COLUMN phone_back;
DROP INDEX answer_at;
DROP TABLE answer;
DROP TABLE archived;
DROP TABLE journal;
-- Append-only. A document's row names the command that wrote it last, and each change the one before:
-- so a document's history is a walk by command id, and needs no index of its own.
-- A chain's entries are numbered without a gap, and each has a hash of itself and of the one before.
CREATE TABLE journal (
    seq {number}, command TEXT NOT NULL UNIQUE, at BIGINT NOT NULL, operator TEXT NOT NULL, station TEXT NOT NULL,
    chain TEXT NOT NULL, link BIGINT NOT NULL, hash TEXT NOT NULL, said {bytes} NOT NULL
){rows};

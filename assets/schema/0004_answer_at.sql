-- Printed answers are forgotten with the rest of the history, the oldest first.
ALTER TABLE answer ADD COLUMN at BIGINT NOT NULL DEFAULT 0;
CREATE INDEX answer_at ON answer (at);

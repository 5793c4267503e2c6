-- Priority of one job, where it differs from its kind's (below 0: the kind's). Those that have one are found beside the others.
ALTER TABLE job ADD COLUMN priority BIGINT NOT NULL DEFAULT -1;
CREATE INDEX job_first ON job (kind, priority, next_check_at) WHERE priority >= 0 AND parked = '';

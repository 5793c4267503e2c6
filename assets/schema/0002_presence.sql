-- When a station last said that it is on, by a clock that all stations share and nobody sets: this machine's since its
-- start, or the server's. 0 is never.
ALTER TABLE presence ADD COLUMN said_at BIGINT NOT NULL DEFAULT 0;

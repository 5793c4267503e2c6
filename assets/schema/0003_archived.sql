-- The house as the last archived journal entry left it: each document with its time and its digest, and its body if a later
-- entry has only what changed since. The key is kind and key; the record of the archives has the key ''.
CREATE TABLE archived (
    key TEXT NOT NULL PRIMARY KEY, at BIGINT NOT NULL, digest TEXT NOT NULL, body TEXT NOT NULL
){table};

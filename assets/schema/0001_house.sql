-- The documents of a house, each a row with a key, a version, a body, and the columns that questions need.
-- {table}, {number} (of rows that stay) and {serial} (of rows that may go) are what the databases spell differently.

CREATE TABLE theater (
    key TEXT NOT NULL PRIMARY KEY, version BIGINT NOT NULL CHECK (version > 0), recorded_at BIGINT NOT NULL, written_by TEXT NOT NULL, body TEXT NOT NULL,
    name TEXT NOT NULL UNIQUE
){table};

CREATE TABLE plan (
    key TEXT NOT NULL PRIMARY KEY, version BIGINT NOT NULL CHECK (version > 0), recorded_at BIGINT NOT NULL, written_by TEXT NOT NULL, body TEXT NOT NULL,
    theater TEXT NOT NULL
){table};

CREATE TABLE performance (
    key TEXT NOT NULL PRIMARY KEY, version BIGINT NOT NULL CHECK (version > 0), recorded_at BIGINT NOT NULL, written_by TEXT NOT NULL, body TEXT NOT NULL,
    theater TEXT NOT NULL, start_at BIGINT NOT NULL, title TEXT NOT NULL
){table};
CREATE INDEX performance_start ON performance (start_at);

CREATE TABLE resource (
    key TEXT NOT NULL PRIMARY KEY, version BIGINT NOT NULL CHECK (version > 0), recorded_at BIGINT NOT NULL, written_by TEXT NOT NULL, body TEXT NOT NULL,
    name TEXT NOT NULL, kind TEXT NOT NULL, parent TEXT NOT NULL, marks BIGINT NOT NULL
){table};
CREATE INDEX resource_name ON resource (name);
CREATE INDEX resource_parent ON resource (parent);

CREATE TABLE booking (
    key TEXT NOT NULL PRIMARY KEY, version BIGINT NOT NULL CHECK (version > 0), recorded_at BIGINT NOT NULL, written_by TEXT NOT NULL, body TEXT NOT NULL,
    from_at BIGINT NOT NULL, until_at BIGINT NOT NULL, title TEXT NOT NULL, customer TEXT NOT NULL, series TEXT NOT NULL, performance TEXT NOT NULL, live BIGINT NOT NULL, imported_as TEXT NOT NULL
){table};
CREATE INDEX booking_imported_as ON booking (imported_as) WHERE imported_as <> '';
CREATE INDEX booking_from ON booking (from_at);
CREATE INDEX booking_series ON booking (series) WHERE series <> '';
CREATE INDEX booking_performance ON booking (performance) WHERE performance <> '';

CREATE TABLE series (
    key TEXT NOT NULL PRIMARY KEY, version BIGINT NOT NULL CHECK (version > 0), recorded_at BIGINT NOT NULL, written_by TEXT NOT NULL, body TEXT NOT NULL
){table};

-- A chunk's key is its resource and its row or day, and its body how many cells it has, then its runs: first cell, last,
-- grip unless booked, owner in short, deadline if any.
CREATE TABLE chunk (
    key TEXT NOT NULL PRIMARY KEY, version BIGINT NOT NULL CHECK (version > 0), recorded_at BIGINT NOT NULL, written_by TEXT NOT NULL, body TEXT NOT NULL,
    cells BIGINT NOT NULL, free BIGINT NOT NULL CHECK (free >= 0 AND free <= cells)
){table};

CREATE TABLE cart (
    key TEXT NOT NULL PRIMARY KEY, version BIGINT NOT NULL CHECK (version > 0), recorded_at BIGINT NOT NULL, written_by TEXT NOT NULL, body TEXT NOT NULL,
    state TEXT NOT NULL CHECK (state IN ('active', 'done', 'canceled', 'expired')), expires_at BIGINT NOT NULL, customer TEXT NOT NULL, reserved BIGINT NOT NULL,
    station TEXT NOT NULL, set_aside BIGINT NOT NULL, currency TEXT NOT NULL, owed BIGINT NOT NULL
){table};
CREATE INDEX cart_deadline ON cart (expires_at) WHERE state = 'active';
CREATE INDEX cart_reserved ON cart (expires_at, currency, owed) WHERE state = 'active' AND reserved = 1;

CREATE TABLE receipt (
    key TEXT NOT NULL PRIMARY KEY, version BIGINT NOT NULL CHECK (version > 0), recorded_at BIGINT NOT NULL, written_by TEXT NOT NULL, body TEXT NOT NULL,
    number TEXT NOT NULL UNIQUE, cart TEXT NOT NULL, issued_at BIGINT NOT NULL, station TEXT NOT NULL, customer TEXT NOT NULL,
    currency TEXT NOT NULL, seats BIGINT NOT NULL, cash BIGINT NOT NULL, card BIGINT NOT NULL
){table};
CREATE INDEX receipt_issued ON receipt (issued_at, station, currency, seats, cash, card);
CREATE INDEX receipt_customer ON receipt (customer, issued_at) WHERE customer > '';

CREATE TABLE station (
    key TEXT NOT NULL PRIMARY KEY, version BIGINT NOT NULL CHECK (version > 0), recorded_at BIGINT NOT NULL, written_by TEXT NOT NULL, body TEXT NOT NULL
){table};

CREATE TABLE settings (
    key TEXT NOT NULL PRIMARY KEY, version BIGINT NOT NULL CHECK (version > 0), recorded_at BIGINT NOT NULL, written_by TEXT NOT NULL, body TEXT NOT NULL
){table};

CREATE TABLE keep (
    key TEXT NOT NULL PRIMARY KEY, version BIGINT NOT NULL CHECK (version > 0), recorded_at BIGINT NOT NULL, written_by TEXT NOT NULL, body TEXT NOT NULL,
    performance TEXT NOT NULL, until_at BIGINT NOT NULL, live BIGINT NOT NULL
){table};
CREATE INDEX keep_until ON keep (until_at) WHERE live > 0;

CREATE TABLE waiting (
    key TEXT NOT NULL PRIMARY KEY, version BIGINT NOT NULL CHECK (version > 0), recorded_at BIGINT NOT NULL, written_by TEXT NOT NULL, body TEXT NOT NULL,
    performance TEXT NOT NULL, state TEXT NOT NULL, since BIGINT NOT NULL, seats BIGINT NOT NULL
){table};
CREATE INDEX waiting_line ON waiting (performance, since) WHERE state IN ('waiting', 'offered');

CREATE TABLE work (
    key TEXT NOT NULL PRIMARY KEY, version BIGINT NOT NULL CHECK (version > 0), recorded_at BIGINT NOT NULL, written_by TEXT NOT NULL, body TEXT NOT NULL,
    state TEXT NOT NULL CHECK (state IN ('open', 'resolved')), kind TEXT NOT NULL, since BIGINT NOT NULL, owner TEXT NOT NULL
){table};
CREATE INDEX work_open ON work (since) WHERE state = 'open';
CREATE INDEX work_owner ON work (owner) WHERE state = 'open' AND owner <> '';

-- Append-only. A document's row names the command that wrote it last, and each change the one before:
-- so a document's history is a walk by command id, and needs no index of its own.
-- A chain's entries are numbered without a gap, and each has a hash of itself and of the one before. told_at is the time
-- that an entry told before a repair of the clock moved it.
CREATE TABLE journal (
    seq {number}, command TEXT NOT NULL UNIQUE, at BIGINT NOT NULL, operator TEXT NOT NULL, station TEXT NOT NULL,
    request TEXT NOT NULL, answer TEXT NOT NULL, changes TEXT NOT NULL,
    chain TEXT NOT NULL, link BIGINT NOT NULL, hash TEXT NOT NULL, told_at BIGINT
){rows};

-- The newest entry of each chain: its number is the version, its hash the body.
CREATE TABLE chain (
    key TEXT NOT NULL PRIMARY KEY, version BIGINT NOT NULL CHECK (version > 0), recorded_at BIGINT NOT NULL, written_by TEXT NOT NULL, body TEXT NOT NULL
){table};

-- Jobs, their history and the events that listeners hear are outside the journal.
-- Whoever acts on a job names the command that wrote it last: so each check is made once.
CREATE TABLE job (
    kind TEXT NOT NULL, subject TEXT NOT NULL, first_check_at BIGINT NOT NULL, next_check_at BIGINT NOT NULL, check_count BIGINT NOT NULL CHECK (check_count >= 0),
    failures BIGINT NOT NULL CHECK (failures >= 0), parked TEXT NOT NULL, recorded_at BIGINT NOT NULL, written_by TEXT NOT NULL,
    PRIMARY KEY (kind, subject)
){table};
CREATE INDEX job_due ON job (kind, next_check_at) WHERE parked = '';
CREATE INDEX job_parked ON job (recorded_at) WHERE parked <> '';

CREATE TABLE job_run (
    seq {serial}, kind TEXT NOT NULL, subject TEXT NOT NULL, due_at BIGINT NOT NULL, started_at BIGINT NOT NULL, took_micros BIGINT NOT NULL, attempt BIGINT NOT NULL,
    outcome TEXT NOT NULL, detail TEXT NOT NULL, operator TEXT NOT NULL, station TEXT NOT NULL, command TEXT NOT NULL, checked TEXT NOT NULL,
    UNIQUE (subject, kind, checked)
){rows};
-- What went wrong or was done by hand is little, and looked for among very much else.
CREATE INDEX job_run_rare ON job_run (seq) WHERE outcome IN ('failed', 'parked', 'by_hand');

CREATE TABLE event (
    seq {serial}, at BIGINT NOT NULL, word TEXT NOT NULL, body TEXT NOT NULL, operator TEXT NOT NULL, station TEXT NOT NULL, command TEXT NOT NULL,
    listener TEXT NOT NULL CHECK (listener IN ('none', 'waits', 'called'))
){rows};
CREATE INDEX event_command ON event (command);
CREATE INDEX event_lately ON event (at) WHERE word IN ('cart_expired', 'taken_over', 'offer_lapsed', 'sales_closed', 'listener_failed');
CREATE INDEX event_tickets ON event (at) WHERE word = 'tickets_uncollected';
CREATE INDEX event_waits ON event (seq) WHERE listener = 'waits';

-- Which stations are on, and where; no rule rests on it. said_at is when a station last said that it is on, by a clock
-- that all stations share and nobody sets: this machine's since its start, or the server's. 0 is never.
CREATE TABLE presence (
    station TEXT NOT NULL PRIMARY KEY, operator TEXT NOT NULL, place TEXT NOT NULL, seen_at BIGINT NOT NULL,
    said_at BIGINT NOT NULL DEFAULT 0
){table};

-- What people have of their own: how far they have read, what they decided, and where they are told what
-- needs them.

CREATE TABLE cursors (
    workspace INTEGER NOT NULL,
    person    TEXT NOT NULL,
    topic     TEXT NOT NULL,
    seq       INTEGER NOT NULL,
    PRIMARY KEY (workspace, person, topic)
) WITHOUT ROWID;

-- Whose messages they are, so that what is unread is counted without reading any.
DROP INDEX messages_by_topic;
CREATE INDEX messages_by_topic ON messages (workspace, topic, seq, sender);

-- Without texts and secrets. Entries with the same `same` are one, counted; an empty `by_id` is the server's operator.
CREATE TABLE audit (
    workspace    INTEGER NOT NULL,
    id           TEXT NOT NULL,
    kind         TEXT NOT NULL,
    by_id        TEXT NOT NULL,
    participant  TEXT,
    conversation TEXT,
    topic        TEXT,
    data         TEXT NOT NULL,
    same         TEXT,
    first_at     INTEGER NOT NULL,
    at           INTEGER NOT NULL,
    times        INTEGER NOT NULL,
    PRIMARY KEY (workspace, id)
) WITHOUT ROWID;
CREATE UNIQUE INDEX audit_by_same ON audit (workspace, same) WHERE same IS NOT NULL;
CREATE INDEX audit_by_time ON audit (workspace, at, id);
CREATE INDEX audit_by_kind ON audit (workspace, kind, at, id);
CREATE INDEX audit_by_whom ON audit (workspace, by_id, at, id);

-- Where a person is told outside of Ygg; `seen` is the place in the log up to which notices were looked at.
CREATE TABLE outlets (
    workspace  INTEGER NOT NULL,
    person     TEXT NOT NULL,
    way        TEXT NOT NULL,
    address    TEXT NOT NULL,
    secret     TEXT,
    quiet_from INTEGER,
    quiet_to   INTEGER,
    zone       TEXT,
    set_at     INTEGER NOT NULL,
    seen       INTEGER NOT NULL,
    PRIMARY KEY (workspace, person)
) WITHOUT ROWID;

-- What is told there, once for each item and round. What is due and taken up is due again when whoever did is lost.
CREATE TABLE outbox (
    workspace INTEGER NOT NULL,
    id        TEXT NOT NULL,
    person    TEXT NOT NULL,
    item      TEXT NOT NULL,
    round     INTEGER NOT NULL,
    subject   TEXT NOT NULL,
    topic     TEXT,
    about     TEXT,
    step      TEXT NOT NULL,
    attempts  INTEGER NOT NULL,
    made_at   INTEGER NOT NULL,
    due_at    INTEGER,
    trouble   TEXT,
    PRIMARY KEY (workspace, id)
) WITHOUT ROWID;
CREATE UNIQUE INDEX outbox_by_item ON outbox (workspace, person, item, round);
CREATE INDEX outbox_due ON outbox (due_at) WHERE due_at IS NOT NULL;
CREATE INDEX notices_by_recipient ON notices (workspace, recipient, seq);

INSERT INTO sqlite_stat1 (tbl, idx, stat) VALUES
    ('messages', 'messages_by_topic', '1000000 1000000 5 1 1'),
    ('cursors', 'cursors', '100000 100000 1000 1'),
    ('audit', 'audit', '50000 50000 1'),
    ('audit', 'audit_by_same', '40000 40000 1'),
    ('audit', 'audit_by_time', '50000 50000 1 1'),
    ('audit', 'audit_by_kind', '50000 50000 2000 1 1'),
    ('audit', 'audit_by_whom', '50000 50000 500 1 1'),
    ('outlets', 'outlets', '100 100 1'),
    ('outbox', 'outbox', '10000 10000 1'),
    ('outbox', 'outbox_by_item', '10000 10000 100 2 1'),
    ('outbox', 'outbox_due', '100 1'),
    ('notices', 'notices_by_recipient', '100000 100000 500 1');
ANALYZE sqlite_schema;

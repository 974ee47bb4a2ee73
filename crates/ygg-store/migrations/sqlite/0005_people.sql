-- What people have of their own: how far they have read, and what they decided.

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

INSERT INTO sqlite_stat1 (tbl, idx, stat) VALUES
    ('messages', 'messages_by_topic', '1000000 1000000 5 1 1'),
    ('cursors', 'cursors', '100000 100000 1000 1'),
    ('audit', 'audit', '50000 50000 1'),
    ('audit', 'audit_by_same', '40000 40000 1'),
    ('audit', 'audit_by_time', '50000 50000 1 1'),
    ('audit', 'audit_by_kind', '50000 50000 2000 1 1'),
    ('audit', 'audit_by_whom', '50000 50000 500 1 1');
ANALYZE sqlite_schema;

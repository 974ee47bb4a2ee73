-- What people have of their own: how far they have read.

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

INSERT INTO sqlite_stat1 (tbl, idx, stat) VALUES
    ('messages', 'messages_by_topic', '1000000 1000000 5 1 1'),
    ('cursors', 'cursors', '100000 100000 1000 1');
ANALYZE sqlite_schema;

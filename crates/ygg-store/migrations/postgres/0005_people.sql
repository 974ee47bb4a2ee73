-- What people have of their own: how far they have read, and what they decided.

CREATE TABLE cursors (
    workspace BIGINT NOT NULL,
    person    TEXT COLLATE "C" NOT NULL,
    topic     TEXT COLLATE "C" NOT NULL,
    seq       BIGINT NOT NULL,
    PRIMARY KEY (workspace, person, topic)
);

-- Whose messages they are, so that what is unread is counted without reading any.
DROP INDEX messages_by_topic;
CREATE INDEX messages_by_topic ON messages (workspace, topic, seq, sender);

-- Without texts and secrets. Entries with the same `same` are one, counted; an empty `by_id` is the server's operator.
CREATE TABLE audit (
    workspace    BIGINT NOT NULL,
    id           TEXT COLLATE "C" NOT NULL,
    kind         TEXT COLLATE "C" NOT NULL,
    by_id        TEXT COLLATE "C" NOT NULL,
    participant  TEXT COLLATE "C",
    conversation TEXT COLLATE "C",
    topic        TEXT COLLATE "C",
    data         TEXT COLLATE "C" NOT NULL,
    same         TEXT COLLATE "C",
    first_at     BIGINT NOT NULL,
    at           BIGINT NOT NULL,
    times        BIGINT NOT NULL,
    PRIMARY KEY (workspace, id)
);
CREATE UNIQUE INDEX audit_by_same ON audit (workspace, same) WHERE same IS NOT NULL;
CREATE INDEX audit_by_time ON audit (workspace, at, id);
CREATE INDEX audit_by_kind ON audit (workspace, kind, at, id);
CREATE INDEX audit_by_whom ON audit (workspace, by_id, at, id);

ALTER TABLE audit ENABLE ROW LEVEL SECURITY;
ALTER TABLE audit FORCE ROW LEVEL SECURITY;
CREATE POLICY of_workspace ON audit USING (
    CASE current_setting('ygg.scope', true) WHEN '*' THEN TRUE
    ELSE workspace = ANY (string_to_array(current_setting('ygg.scope', true), ' ')::BIGINT[]) END
);
ALTER TABLE cursors ENABLE ROW LEVEL SECURITY;
ALTER TABLE cursors FORCE ROW LEVEL SECURITY;
CREATE POLICY of_workspace ON cursors USING (
    CASE current_setting('ygg.scope', true) WHEN '*' THEN TRUE
    ELSE workspace = ANY (string_to_array(current_setting('ygg.scope', true), ' ')::BIGINT[]) END
);

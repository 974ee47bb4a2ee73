-- What people have of their own: how far they have read, what they decided, and where they are told what
-- needs them.

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

-- Where a person is told outside of Ygg; `seen` is the place in the log up to which notices were looked at.
CREATE TABLE outlets (
    workspace  BIGINT NOT NULL,
    person     TEXT COLLATE "C" NOT NULL,
    way        TEXT COLLATE "C" NOT NULL,
    address    TEXT COLLATE "C" NOT NULL,
    secret     TEXT COLLATE "C",
    quiet_from BIGINT,
    quiet_to   BIGINT,
    zone       TEXT COLLATE "C",
    set_at     BIGINT NOT NULL,
    seen       BIGINT NOT NULL,
    PRIMARY KEY (workspace, person)
);

-- What is told there, once for each item and round. What is due and taken up is due again when whoever did is lost.
CREATE TABLE outbox (
    workspace BIGINT NOT NULL,
    id        TEXT COLLATE "C" NOT NULL,
    person    TEXT COLLATE "C" NOT NULL,
    item      TEXT COLLATE "C" NOT NULL,
    round     BIGINT NOT NULL,
    subject   TEXT COLLATE "C" NOT NULL,
    topic     TEXT COLLATE "C",
    about     TEXT COLLATE "C",
    step      TEXT COLLATE "C" NOT NULL,
    attempts  BIGINT NOT NULL,
    made_at   BIGINT NOT NULL,
    due_at    BIGINT,
    trouble   TEXT COLLATE "C",
    PRIMARY KEY (workspace, id)
);
CREATE UNIQUE INDEX outbox_by_item ON outbox (workspace, person, item, round);
CREATE INDEX outbox_due ON outbox (due_at) WHERE due_at IS NOT NULL;
CREATE INDEX notices_by_recipient ON notices (workspace, recipient, seq);

ALTER TABLE outlets ENABLE ROW LEVEL SECURITY;
ALTER TABLE outlets FORCE ROW LEVEL SECURITY;
CREATE POLICY of_workspace ON outlets USING (
    CASE current_setting('ygg.scope', true) WHEN '*' THEN TRUE
    ELSE workspace = ANY (string_to_array(current_setting('ygg.scope', true), ' ')::BIGINT[]) END
);
ALTER TABLE outbox ENABLE ROW LEVEL SECURITY;
ALTER TABLE outbox FORCE ROW LEVEL SECURITY;
CREATE POLICY of_workspace ON outbox USING (
    CASE current_setting('ygg.scope', true) WHEN '*' THEN TRUE
    ELSE workspace = ANY (string_to_array(current_setting('ygg.scope', true), ' ')::BIGINT[]) END
);
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

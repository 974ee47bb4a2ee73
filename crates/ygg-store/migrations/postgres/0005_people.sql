-- What people have of their own: how far they have read.

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

ALTER TABLE cursors ENABLE ROW LEVEL SECURITY;
ALTER TABLE cursors FORCE ROW LEVEL SECURITY;
CREATE POLICY of_workspace ON cursors USING (
    CASE current_setting('ygg.scope', true) WHEN '*' THEN TRUE
    ELSE workspace = ANY (string_to_array(current_setting('ygg.scope', true), ' ')::BIGINT[]) END
);

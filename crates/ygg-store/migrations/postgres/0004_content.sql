-- Files that go along with messages, and messages whose words were taken out.

-- What is in files, once for each hash.
CREATE TABLE contents (
    workspace BIGINT NOT NULL,
    hash      BYTEA NOT NULL,
    content   BYTEA NOT NULL,
    PRIMARY KEY (workspace, hash)
);

-- `loose_since`: no message carries it, since it was uploaded.
CREATE TABLE files (
    workspace   BIGINT NOT NULL,
    id          TEXT COLLATE "C" NOT NULL,
    name        TEXT COLLATE "C" NOT NULL,
    media_type  TEXT COLLATE "C" NOT NULL,
    size        BIGINT NOT NULL,
    hash        BYTEA NOT NULL,
    uploader    TEXT COLLATE "C" NOT NULL,
    uploaded_at BIGINT NOT NULL,
    loose_since BIGINT,
    PRIMARY KEY (workspace, id)
);
CREATE INDEX files_by_hash ON files (workspace, hash);
CREATE INDEX files_loose ON files (loose_since) WHERE loose_since IS NOT NULL;
CREATE INDEX files_of_uploader_loose ON files (workspace, uploader) WHERE loose_since IS NOT NULL;

-- Which messages carry which files, in their senders' order.
CREATE TABLE attachments (
    workspace BIGINT NOT NULL,
    message   TEXT COLLATE "C" NOT NULL,
    place     BIGINT NOT NULL,
    file      TEXT COLLATE "C" NOT NULL,
    PRIMARY KEY (workspace, message, place)
);
CREATE INDEX attachments_by_file ON attachments (workspace, file);

-- Whether there is anything to look for in `attachments`: most messages carry nothing.
ALTER TABLE messages ADD COLUMN attached BIGINT NOT NULL DEFAULT 0;

-- Who took a message's words and files out, and when.
ALTER TABLE messages ADD COLUMN redacted_by TEXT COLLATE "C";
ALTER TABLE messages ADD COLUMN redacted_at BIGINT;

ALTER TABLE contents ENABLE ROW LEVEL SECURITY;
ALTER TABLE contents FORCE ROW LEVEL SECURITY;
CREATE POLICY of_workspace ON contents USING (
    CASE current_setting('ygg.scope', true) WHEN '*' THEN TRUE
    ELSE workspace = ANY (string_to_array(current_setting('ygg.scope', true), ' ')::BIGINT[]) END
);
ALTER TABLE files ENABLE ROW LEVEL SECURITY;
ALTER TABLE files FORCE ROW LEVEL SECURITY;
CREATE POLICY of_workspace ON files USING (
    CASE current_setting('ygg.scope', true) WHEN '*' THEN TRUE
    ELSE workspace = ANY (string_to_array(current_setting('ygg.scope', true), ' ')::BIGINT[]) END
);
ALTER TABLE attachments ENABLE ROW LEVEL SECURITY;
ALTER TABLE attachments FORCE ROW LEVEL SECURITY;
CREATE POLICY of_workspace ON attachments USING (
    CASE current_setting('ygg.scope', true) WHEN '*' THEN TRUE
    ELSE workspace = ANY (string_to_array(current_setting('ygg.scope', true), ' ')::BIGINT[]) END
);

-- Files that go along with messages, and messages whose words were taken out.

-- What is in files, once for each hash.
CREATE TABLE contents (
    workspace INTEGER NOT NULL,
    hash      BLOB NOT NULL,
    content   BLOB NOT NULL,
    PRIMARY KEY (workspace, hash)
);

-- `loose_since`: no message carries it, since it was uploaded.
CREATE TABLE files (
    workspace   INTEGER NOT NULL,
    id          TEXT NOT NULL,
    name        TEXT NOT NULL,
    media_type  TEXT NOT NULL,
    size        INTEGER NOT NULL,
    hash        BLOB NOT NULL,
    uploader    TEXT NOT NULL,
    uploaded_at INTEGER NOT NULL,
    loose_since INTEGER,
    PRIMARY KEY (workspace, id)
) WITHOUT ROWID;
CREATE INDEX files_by_hash ON files (workspace, hash);
CREATE INDEX files_loose ON files (loose_since) WHERE loose_since IS NOT NULL;
CREATE INDEX files_of_uploader_loose ON files (workspace, uploader) WHERE loose_since IS NOT NULL;

-- Which messages carry which files, in their senders' order.
CREATE TABLE attachments (
    workspace INTEGER NOT NULL,
    message   TEXT NOT NULL,
    place     INTEGER NOT NULL,
    file      TEXT NOT NULL,
    PRIMARY KEY (workspace, message, place)
) WITHOUT ROWID;
CREATE INDEX attachments_by_file ON attachments (workspace, file);

-- Whether there is anything to look for in `attachments`: most messages carry nothing.
ALTER TABLE messages ADD COLUMN attached INTEGER NOT NULL DEFAULT 0;

-- Who took a message's words and files out, and when.
ALTER TABLE messages ADD COLUMN redacted_by TEXT;
ALTER TABLE messages ADD COLUMN redacted_at INTEGER;

INSERT INTO sqlite_stat1 (tbl, idx, stat) VALUES
    ('contents', 'sqlite_autoindex_contents_1', '100000 100000 1'),
    ('files', 'files', '100000 100000 1'),
    ('files', 'files_by_hash', '100000 100000 1'),
    ('files', 'files_loose', '100 1'),
    ('files', 'files_of_uploader_loose', '100 100 4'),
    ('attachments', 'attachments', '100000 100000 1 1'),
    ('attachments', 'attachments_by_file', '100000 100000 1');
ANALYZE sqlite_schema;

-- Files that go along with messages, messages whose words were taken out, and the words that texts are found by.

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

-- The words of messages and titles: `rowid` is the number of the workspace times 2^40 and the place in its log. No text is
-- kept a second time. What is taken out of it is not only marked as gone.
CREATE VIRTUAL TABLE search USING fts5(words, content = '', columnsize = 0, detail = none, tokenize = 'ascii');
INSERT INTO search (search, rank) VALUES ('secure-delete', 1);
-- A look into twice as many parts costs little; that each word is moved half as often is less work for every send.
INSERT INTO search (search, rank) VALUES ('automerge', 8);
CREATE INDEX messages_by_place ON messages (workspace, seq);
-- Where a topic got the title that it has: a topic from before, when it was opened, just before its first message.
ALTER TABLE topics ADD COLUMN title_seq INTEGER;
UPDATE topics SET title_seq = (
    SELECT min(m.seq) - 1 FROM messages m WHERE m.workspace = topics.workspace AND m.topic = topics.id)
WHERE title IS NOT NULL;
CREATE UNIQUE INDEX topics_titled ON topics (workspace, title_seq) WHERE title_seq IS NOT NULL;
INSERT INTO search (rowid, words)
    SELECT workspace * 1099511627776 + seq, ygg_index(text) FROM messages WHERE ygg_index(text) <> ''
    UNION ALL
    SELECT workspace * 1099511627776 + title_seq, ygg_index(title) FROM topics
    WHERE title_seq IS NOT NULL AND ygg_index(title) <> '';

INSERT INTO sqlite_stat1 (tbl, idx, stat) VALUES
    ('contents', 'sqlite_autoindex_contents_1', '100000 100000 1'),
    ('files', 'files', '100000 100000 1'),
    ('files', 'files_by_hash', '100000 100000 1'),
    ('files', 'files_loose', '100 1'),
    ('files', 'files_of_uploader_loose', '100 100 4'),
    ('attachments', 'attachments', '100000 100000 1 1'),
    ('attachments', 'attachments_by_file', '100000 100000 1'),
    ('messages', 'messages_by_place', '1000000 1000000 1'),
    ('topics', 'topics_titled', '200000 200000 1');
ANALYZE sqlite_schema;

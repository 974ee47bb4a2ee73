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
    SELECT workspace * 1099511627776 + seq, ygg_index(text) FROM messages
    WHERE redacted_by IS NULL AND ygg_index(text) <> ''
    UNION ALL
    SELECT workspace * 1099511627776 + title_seq, ygg_index(title) FROM topics
    WHERE title_seq IS NOT NULL AND ygg_index(title) <> '';

INSERT INTO sqlite_stat1 (tbl, idx, stat) VALUES
    ('messages', 'messages_by_place', '1000000 1000000 1'),
    ('topics', 'topics_titled', '200000 200000 1');
ANALYZE sqlite_schema;

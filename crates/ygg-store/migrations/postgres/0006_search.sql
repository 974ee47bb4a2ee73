-- The words of messages and titles at their places in the log. What texts from before are found by is added by the
-- program. No row-level security: an index of words is not used behind it, since looking a word up counts as telling it.
-- Nothing but places comes out of this table, and what stands there is asked behind the wall.
CREATE TABLE search (
    workspace BIGINT NOT NULL,
    seq       BIGINT NOT NULL,
    words     TSVECTOR NOT NULL,
    PRIMARY KEY (workspace, seq)
);
CREATE INDEX search_by_words ON search USING GIN (words);
CREATE INDEX messages_by_place ON messages (workspace, seq);
-- Where a topic got the title that it has: a topic from before, when it was opened, just before its first message.
ALTER TABLE topics ADD COLUMN title_seq BIGINT;
UPDATE topics SET title_seq = (
    SELECT min(m.seq) - 1 FROM messages m WHERE m.workspace = topics.workspace AND m.topic = topics.id)
WHERE title IS NOT NULL;
CREATE UNIQUE INDEX topics_titled ON topics (workspace, title_seq) WHERE title_seq IS NOT NULL;

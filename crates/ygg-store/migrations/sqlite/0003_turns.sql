-- Turns with a taker, a lease and an end that is told; what failed and is tried again; attention of live sessions.

ALTER TABLE turns ADD COLUMN conversation TEXT;
UPDATE turns SET conversation =
    (SELECT conversation FROM topics t WHERE t.workspace = turns.workspace AND t.id = turns.topic);
-- When it has to be looked at; one that runs since before is looked at once, at the next start.
ALTER TABLE turns ADD COLUMN due_at INTEGER NOT NULL DEFAULT 0;
-- Of the key that is good for this turn alone.
ALTER TABLE turns ADD COLUMN key_hash BLOB;
-- It ended without a word in the topic that woke it.
ALTER TABLE turns ADD COLUMN silent INTEGER NOT NULL DEFAULT 0;
ALTER TABLE turns ADD COLUMN exit_code INTEGER;
ALTER TABLE turns ADD COLUMN usd_micros INTEGER;
ALTER TABLE turns ADD COLUMN tokens INTEGER;
ALTER TABLE turns ADD COLUMN problem TEXT;
CREATE UNIQUE INDEX turns_by_key ON turns (key_hash) WHERE key_hash IS NOT NULL;
CREATE INDEX turns_due ON turns (due_at) WHERE status = 'running';

ALTER TABLE wakes ADD COLUMN failed INTEGER NOT NULL DEFAULT 0;
ALTER TABLE wakes ADD COLUMN not_before INTEGER;
ALTER TABLE wakes ADD COLUMN handed_on INTEGER NOT NULL DEFAULT 0;

-- The supervised turn that it was sent in.
ALTER TABLE messages ADD COLUMN turn TEXT;
CREATE INDEX messages_by_turn ON messages (workspace, turn, seq) WHERE turn IS NOT NULL;

-- The last sign of a live session of each agent.
CREATE TABLE attention (
    workspace INTEGER NOT NULL,
    agent     TEXT NOT NULL,
    at        INTEGER NOT NULL,
    PRIMARY KEY (workspace, agent)
) WITHOUT ROWID;

INSERT INTO sqlite_stat1 (tbl, idx, stat) VALUES
    ('turns', 'turns_by_key', '100000 1'),
    ('turns', 'turns_due', '100 1'),
    ('messages', 'messages_by_turn', '200000 200000 2 1'),
    ('attention', 'attention', '200 200 1');
ANALYZE sqlite_schema;

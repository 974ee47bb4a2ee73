-- Turns with a taker, a lease and an end that is told; what failed and is tried again; attention of live sessions.

ALTER TABLE turns ADD COLUMN conversation TEXT COLLATE "C";
UPDATE turns SET conversation =
    (SELECT conversation FROM topics t WHERE t.workspace = turns.workspace AND t.id = turns.topic);
-- When it has to be looked at; one that runs since before is looked at once, at the next start.
ALTER TABLE turns ADD COLUMN due_at BIGINT NOT NULL DEFAULT 0;
-- Of the key that is good for this turn alone.
ALTER TABLE turns ADD COLUMN key_hash BYTEA;
-- It ended without a word in the topic that woke it.
ALTER TABLE turns ADD COLUMN silent BIGINT NOT NULL DEFAULT 0;
ALTER TABLE turns ADD COLUMN exit_code BIGINT;
ALTER TABLE turns ADD COLUMN usd_micros BIGINT;
ALTER TABLE turns ADD COLUMN tokens BIGINT;
ALTER TABLE turns ADD COLUMN problem TEXT COLLATE "C";
CREATE UNIQUE INDEX turns_by_key ON turns (key_hash) WHERE key_hash IS NOT NULL;
CREATE INDEX turns_due ON turns (due_at) WHERE status = 'running';

ALTER TABLE wakes ADD COLUMN failed BIGINT NOT NULL DEFAULT 0;
ALTER TABLE wakes ADD COLUMN not_before BIGINT;
ALTER TABLE wakes ADD COLUMN handed_on BIGINT NOT NULL DEFAULT 0;

-- The supervised turn that it was sent in.
ALTER TABLE messages ADD COLUMN turn TEXT COLLATE "C";
CREATE INDEX messages_by_turn ON messages (workspace, turn, seq) WHERE turn IS NOT NULL;

-- The last sign of a live session of each agent.
CREATE TABLE attention (
    workspace BIGINT NOT NULL,
    agent     TEXT COLLATE "C" NOT NULL,
    at        BIGINT NOT NULL,
    PRIMARY KEY (workspace, agent)
);

ALTER TABLE attention ENABLE ROW LEVEL SECURITY;
ALTER TABLE attention FORCE ROW LEVEL SECURITY;
CREATE POLICY of_workspace ON attention USING (
    CASE current_setting('ygg.scope', true) WHEN '*' THEN TRUE
    ELSE workspace = ANY (string_to_array(current_setting('ygg.scope', true), ' ')::BIGINT[]) END
);

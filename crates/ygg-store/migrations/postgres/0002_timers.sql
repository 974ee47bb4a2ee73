-- Timers, pauses, loops and shortfalls: what a topic needs to move by itself.

ALTER TABLE topics ADD COLUMN resumed_at BIGINT;
ALTER TABLE topics ADD COLUMN stalled BIGINT NOT NULL DEFAULT 0;
ALTER TABLE topics ADD COLUMN looped BIGINT NOT NULL DEFAULT 0;
-- When its timers are to be looked at; a topic from before is looked at once, at the next start.
ALTER TABLE topics ADD COLUMN due_at BIGINT;
UPDATE topics SET due_at = 0 WHERE status <> 'closed';
CREATE INDEX topics_due ON topics (due_at) WHERE due_at IS NOT NULL;
CREATE INDEX topics_marked ON topics (workspace) WHERE stalled <> 0 OR status NOT IN ('open', 'closed');

ALTER TABLE parties ADD COLUMN since BIGINT NOT NULL DEFAULT 0;
ALTER TABLE parties ADD COLUMN declared BIGINT NOT NULL DEFAULT 0;
ALTER TABLE parties ADD COLUMN asked_at BIGINT;
ALTER TABLE parties ADD COLUMN replied_at BIGINT;
UPDATE parties SET since = COALESCE(
    (SELECT opened_at FROM topics t WHERE t.workspace = parties.workspace AND t.id = parties.topic), 0);

-- What texts that say the same have in common; of agents alone.
ALTER TABLE messages ADD COLUMN mark BIGINT;
CREATE INDEX messages_by_mark ON messages (workspace, sender, mark) WHERE mark IS NOT NULL;

CREATE INDEX turns_by_topic ON turns (workspace, topic, agent, began_at) WHERE topic IS NOT NULL;

-- Notices that belong to no topic, are about nobody or come with a wake.
ALTER TABLE notices ALTER COLUMN topic DROP NOT NULL;
ALTER TABLE notices ALTER COLUMN about DROP NOT NULL;
ALTER TABLE notices ALTER COLUMN message DROP NOT NULL;
ALTER TABLE notices ADD COLUMN wake TEXT COLLATE "C";

CREATE TABLE nudges (
    workspace BIGINT NOT NULL,
    topic     TEXT COLLATE "C" NOT NULL,
    waiter    TEXT COLLATE "C" NOT NULL,
    waits_on  TEXT COLLATE "C" NOT NULL,
    times     BIGINT NOT NULL,
    last_at   BIGINT NOT NULL,
    told      BIGINT NOT NULL,
    PRIMARY KEY (workspace, topic, waiter, waits_on)
);

-- One for each agent and topic; an empty topic never came to be.
CREATE TABLE shortfalls (
    workspace BIGINT NOT NULL,
    agent     TEXT COLLATE "C" NOT NULL,
    topic     TEXT COLLATE "C" NOT NULL,
    pot       TEXT COLLATE "C" NOT NULL,
    needed    BIGINT NOT NULL,
    at        BIGINT NOT NULL,
    PRIMARY KEY (workspace, agent, topic)
);

ALTER TABLE nudges ENABLE ROW LEVEL SECURITY;
ALTER TABLE nudges FORCE ROW LEVEL SECURITY;
CREATE POLICY of_workspace ON nudges USING (
    CASE current_setting('ygg.scope', true) WHEN '*' THEN TRUE
    ELSE workspace = ANY (string_to_array(current_setting('ygg.scope', true), ' ')::BIGINT[]) END
);
ALTER TABLE shortfalls ENABLE ROW LEVEL SECURITY;
ALTER TABLE shortfalls FORCE ROW LEVEL SECURITY;
CREATE POLICY of_workspace ON shortfalls USING (
    CASE current_setting('ygg.scope', true) WHEN '*' THEN TRUE
    ELSE workspace = ANY (string_to_array(current_setting('ygg.scope', true), ' ')::BIGINT[]) END
);

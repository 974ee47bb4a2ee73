-- Timers, pauses, loops and shortfalls: what a topic needs to move by itself.

ALTER TABLE topics ADD COLUMN resumed_at INTEGER;
ALTER TABLE topics ADD COLUMN stalled INTEGER NOT NULL DEFAULT 0;
ALTER TABLE topics ADD COLUMN looped INTEGER NOT NULL DEFAULT 0;
-- When its timers are to be looked at; a topic from before is looked at once, at the next start.
ALTER TABLE topics ADD COLUMN due_at INTEGER;
UPDATE topics SET due_at = 0 WHERE status <> 'closed';
CREATE INDEX topics_due ON topics (due_at) WHERE due_at IS NOT NULL;
CREATE INDEX topics_marked ON topics (workspace) WHERE stalled <> 0 OR status NOT IN ('open', 'closed');

ALTER TABLE parties ADD COLUMN since INTEGER NOT NULL DEFAULT 0;
ALTER TABLE parties ADD COLUMN declared INTEGER NOT NULL DEFAULT 0;
ALTER TABLE parties ADD COLUMN asked_at INTEGER;
ALTER TABLE parties ADD COLUMN replied_at INTEGER;
UPDATE parties SET since = COALESCE(
    (SELECT opened_at FROM topics t WHERE t.workspace = parties.workspace AND t.id = parties.topic), 0);

-- What texts that say the same have in common; of agents alone.
ALTER TABLE messages ADD COLUMN mark INTEGER;
CREATE INDEX messages_by_mark ON messages (workspace, sender, mark) WHERE mark IS NOT NULL;

CREATE INDEX turns_by_topic ON turns (workspace, topic, agent, began_at) WHERE topic IS NOT NULL;

-- Notices that belong to no topic, are about nobody or come with a wake.
CREATE TABLE notices_new (
    workspace INTEGER NOT NULL,
    id        TEXT NOT NULL,
    seq       INTEGER NOT NULL,
    recipient TEXT NOT NULL,
    topic     TEXT,
    kind      TEXT NOT NULL,
    about     TEXT,
    message   TEXT,
    wake      TEXT,
    step      TEXT NOT NULL,
    turn      TEXT,
    PRIMARY KEY (workspace, id)
) WITHOUT ROWID;
INSERT INTO notices_new (workspace, id, seq, recipient, topic, kind, about, message, step, turn)
    SELECT workspace, id, seq, recipient, topic, kind, about, message, step, turn FROM notices;
DROP TABLE notices;
ALTER TABLE notices_new RENAME TO notices;
CREATE INDEX notices_pending ON notices (workspace, recipient) WHERE step = 'pending';
CREATE INDEX notices_by_turn ON notices (workspace, turn) WHERE turn IS NOT NULL;

CREATE TABLE nudges (
    workspace INTEGER NOT NULL,
    topic     TEXT NOT NULL,
    waiter    TEXT NOT NULL,
    waits_on  TEXT NOT NULL,
    times     INTEGER NOT NULL,
    last_at   INTEGER NOT NULL,
    told      INTEGER NOT NULL,
    PRIMARY KEY (workspace, topic, waiter, waits_on)
) WITHOUT ROWID;

-- One for each agent and topic; an empty topic never came to be.
CREATE TABLE shortfalls (
    workspace INTEGER NOT NULL,
    agent     TEXT NOT NULL,
    topic     TEXT NOT NULL,
    pot       TEXT NOT NULL,
    needed    INTEGER NOT NULL,
    at        INTEGER NOT NULL,
    PRIMARY KEY (workspace, agent, topic)
) WITHOUT ROWID;

INSERT INTO sqlite_stat1 (tbl, idx, stat) VALUES
    ('topics', 'topics_due', '1000 1'),
    ('topics', 'topics_marked', '20 20'),
    ('messages', 'messages_by_mark', '1000000 1000000 5000 1'),
    ('turns', 'turns_by_topic', '400000 400000 4 2 1'),
    ('notices', 'notices', '100000 100000 1'),
    ('notices', 'notices_pending', '100 100 1'),
    ('notices', 'notices_by_turn', '100000 100000 2'),
    ('nudges', 'nudges', '10000 10000 2 1 1'),
    ('shortfalls', 'shortfalls', '10 10 1 1');
ANALYZE sqlite_schema;

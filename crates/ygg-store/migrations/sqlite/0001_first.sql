-- The first shape of the store. Instants are milliseconds of UTC, ids are text, lists of ids are separated by
-- spaces, `workspace` stands on every row [W1].

-- AUTOINCREMENT: the number of a deleted workspace is never used again.
CREATE TABLE workspaces (
    key     INTEGER PRIMARY KEY AUTOINCREMENT,
    slug    TEXT NOT NULL UNIQUE,
    policy  TEXT NOT NULL,
    paused  INTEGER NOT NULL DEFAULT 0,
    made_at INTEGER NOT NULL
);

-- People on the server, in all of its workspaces: no row of theirs has a workspace [W1].
CREATE TABLE accounts (
    id       TEXT PRIMARY KEY,
    handle   TEXT NOT NULL UNIQUE,
    password TEXT,
    made_at  INTEGER NOT NULL
);

-- At most one for an account; the code is good for a while, and once [O7a].
CREATE TABLE claims (
    account   TEXT PRIMARY KEY,
    workspace INTEGER NOT NULL,
    hash      BLOB NOT NULL UNIQUE,
    made_at   INTEGER NOT NULL
);

CREATE TABLE participants (
    workspace    INTEGER NOT NULL,
    id           TEXT NOT NULL,
    display_name TEXT NOT NULL,
    handle       TEXT,
    role         TEXT,
    wake_by      TEXT,
    description  TEXT,
    operators    TEXT,
    connected_by TEXT,
    paused       INTEGER NOT NULL DEFAULT 0,
    removed      INTEGER NOT NULL DEFAULT 0,
    account      TEXT,
    PRIMARY KEY (workspace, id)
) WITHOUT ROWID;
CREATE UNIQUE INDEX participants_by_handle ON participants (workspace, handle) WHERE handle IS NOT NULL;
CREATE INDEX participants_by_account ON participants (account, workspace) WHERE account IS NOT NULL;

CREATE TABLE groups (
    workspace INTEGER NOT NULL,
    name      TEXT NOT NULL,
    members   TEXT NOT NULL,
    PRIMARY KEY (workspace, name)
) WITHOUT ROWID;

CREATE TABLE keys (
    workspace   INTEGER NOT NULL,
    id          TEXT NOT NULL,
    participant TEXT NOT NULL,
    label       TEXT NOT NULL,
    hash        BLOB NOT NULL UNIQUE,
    made_at     INTEGER NOT NULL,
    revoked_at  INTEGER,
    used_at     INTEGER,
    PRIMARY KEY (workspace, id)
);

-- Browsers that are signed in.
CREATE TABLE sessions (
    workspace   INTEGER NOT NULL,
    id          TEXT NOT NULL,
    participant TEXT NOT NULL,
    label       TEXT NOT NULL,
    hash        BLOB NOT NULL UNIQUE,
    former      BLOB,
    made_at     INTEGER NOT NULL,
    rotated_at  INTEGER NOT NULL,
    used_at     INTEGER NOT NULL,
    ended_at    INTEGER,
    PRIMARY KEY (workspace, id)
);
CREATE INDEX sessions_by_former ON sessions (former) WHERE former IS NOT NULL;
CREATE INDEX sessions_open ON sessions (workspace, participant) WHERE ended_at IS NULL;

CREATE TABLE invites (
    workspace   INTEGER NOT NULL,
    id          TEXT NOT NULL,
    role        TEXT NOT NULL,
    by_id       TEXT NOT NULL,
    hash        BLOB NOT NULL UNIQUE,
    made_at     INTEGER NOT NULL,
    ended_at    INTEGER,
    accepted_by TEXT,
    PRIMARY KEY (workspace, id)
);
CREATE INDEX invites_open ON invites (workspace) WHERE ended_at IS NULL;

CREATE TABLE conversations (
    workspace INTEGER NOT NULL,
    id        TEXT NOT NULL,
    kind      TEXT NOT NULL,
    anchor    TEXT NOT NULL,
    private   INTEGER NOT NULL DEFAULT 0,
    made_at   INTEGER NOT NULL,
    PRIMARY KEY (workspace, id)
) WITHOUT ROWID;
CREATE UNIQUE INDEX conversations_by_anchor ON conversations (workspace, kind, anchor);

-- Coming back makes a second row.
CREATE TABLE stints (
    workspace    INTEGER NOT NULL,
    conversation TEXT NOT NULL,
    participant  TEXT NOT NULL,
    seq          INTEGER NOT NULL,
    begun_at     INTEGER NOT NULL,
    ended_at     INTEGER,
    metadata     TEXT,
    PRIMARY KEY (workspace, conversation, participant, seq)
) WITHOUT ROWID;
CREATE INDEX stints_by_participant ON stints (workspace, participant) WHERE ended_at IS NULL;

CREATE TABLE topics (
    workspace    INTEGER NOT NULL,
    id           TEXT NOT NULL,
    conversation TEXT NOT NULL,
    title        TEXT,
    opener       TEXT NOT NULL,
    status       TEXT NOT NULL,
    opened_at    INTEGER NOT NULL,
    closed_at    INTEGER,
    PRIMARY KEY (workspace, id)
) WITHOUT ROWID;
CREATE INDEX topics_by_conversation ON topics (workspace, conversation, id);
CREATE INDEX topics_held ON topics (workspace, opener) WHERE status <> 'closed';

CREATE TABLE parties (
    workspace   INTEGER NOT NULL,
    topic       TEXT NOT NULL,
    participant TEXT NOT NULL,
    state       TEXT NOT NULL,
    waiting_for TEXT NOT NULL DEFAULT '',
    PRIMARY KEY (workspace, topic, participant)
) WITHOUT ROWID;
CREATE INDEX parties_by_participant ON parties (workspace, participant, topic);

CREATE TABLE messages (
    workspace    INTEGER NOT NULL,
    id           TEXT NOT NULL,
    seq          INTEGER NOT NULL,
    topic        TEXT NOT NULL,
    conversation TEXT NOT NULL,
    sender       TEXT NOT NULL,
    type         TEXT NOT NULL,
    text         TEXT NOT NULL,
    body         TEXT,
    in_reply_to  TEXT,
    state        TEXT,
    waiting_for  TEXT NOT NULL DEFAULT '',
    origin       TEXT NOT NULL,
    hop          INTEGER NOT NULL,
    charged      INTEGER NOT NULL,
    sent_at      INTEGER NOT NULL,
    decision     TEXT NOT NULL,
    PRIMARY KEY (workspace, id)
);
CREATE INDEX messages_by_topic ON messages (workspace, topic, seq);

-- One row for each recipient of each message: the effect, how far it got, and the answer that is owed.
CREATE TABLE deliveries (
    workspace  INTEGER NOT NULL,
    message    TEXT NOT NULL,
    recipient  TEXT NOT NULL,
    seq        INTEGER NOT NULL,
    topic      TEXT NOT NULL,
    effect     TEXT NOT NULL,
    reason     TEXT,
    trust      TEXT NOT NULL,
    step       TEXT NOT NULL,
    wake       TEXT,
    folded     TEXT,
    debt       TEXT,
    settled_by TEXT,
    turn       TEXT,
    handed_at  INTEGER,
    PRIMARY KEY (workspace, message, recipient)
) WITHOUT ROWID;
CREATE INDEX deliveries_pending ON deliveries (workspace, recipient, topic, seq, wake, folded) WHERE step = 'pending';
CREATE INDEX deliveries_owed ON deliveries (workspace, topic, recipient) WHERE debt = 'open';
CREATE INDEX deliveries_by_turn ON deliveries (workspace, turn) WHERE turn IS NOT NULL;

CREATE TABLE wakes (
    workspace INTEGER NOT NULL,
    id        TEXT NOT NULL,
    seq       INTEGER NOT NULL,
    agent     TEXT NOT NULL,
    topic     TEXT,
    kind      TEXT NOT NULL,
    status    TEXT NOT NULL,
    operator  INTEGER NOT NULL,
    origin    TEXT NOT NULL,
    hop       INTEGER NOT NULL,
    made_at   INTEGER NOT NULL,
    turn      TEXT,
    PRIMARY KEY (workspace, id)
) WITHOUT ROWID;
CREATE INDEX wakes_unanswered ON wakes (workspace, topic) WHERE status IN ('pending', 'taken');
CREATE INDEX wakes_pending ON wakes (workspace, agent) WHERE status = 'pending';
CREATE INDEX wakes_by_turn ON wakes (workspace, turn) WHERE turn IS NOT NULL;

CREATE TABLE notices (
    workspace INTEGER NOT NULL,
    id        TEXT NOT NULL,
    seq       INTEGER NOT NULL,
    recipient TEXT NOT NULL,
    topic     TEXT NOT NULL,
    kind      TEXT NOT NULL,
    about     TEXT NOT NULL,
    message   TEXT NOT NULL,
    step      TEXT NOT NULL,
    turn      TEXT,
    PRIMARY KEY (workspace, id)
) WITHOUT ROWID;
CREATE INDEX notices_pending ON notices (workspace, recipient) WHERE step = 'pending';
CREATE INDEX notices_by_turn ON notices (workspace, turn) WHERE turn IS NOT NULL;

CREATE TABLE turns (
    workspace INTEGER NOT NULL,
    id        TEXT NOT NULL,
    seq       INTEGER NOT NULL,
    agent     TEXT NOT NULL,
    taker     TEXT NOT NULL,
    topic     TEXT,
    status    TEXT NOT NULL,
    began_at  INTEGER NOT NULL,
    ended_at  INTEGER,
    PRIMARY KEY (workspace, id)
) WITHOUT ROWID;
CREATE INDEX turns_by_agent ON turns (workspace, agent, seq);

CREATE TABLE pots (
    workspace INTEGER NOT NULL,
    pot       TEXT NOT NULL,
    balance   INTEGER NOT NULL CHECK (balance >= 0),
    PRIMARY KEY (workspace, pot)
) WITHOUT ROWID;

CREATE TABLE ledger (
    workspace INTEGER NOT NULL,
    seq       INTEGER NOT NULL,
    pot       TEXT NOT NULL,
    amount    INTEGER NOT NULL,
    balance   INTEGER NOT NULL,
    reason    TEXT NOT NULL,
    by_id     TEXT NOT NULL,
    message   TEXT,
    at        INTEGER NOT NULL,
    PRIMARY KEY (workspace, seq)
) WITHOUT ROWID;

-- Sends remembered by their key [M8]. `receipt` is null for a refusal that was paid for [T1].
CREATE TABLE sends (
    workspace INTEGER NOT NULL,
    sender    TEXT NOT NULL,
    key       TEXT NOT NULL,
    digest    BLOB NOT NULL,
    receipt   TEXT,
    at        INTEGER NOT NULL,
    PRIMARY KEY (workspace, sender, key)
) WITHOUT ROWID;

CREATE TABLE tasks (
    workspace INTEGER NOT NULL,
    id        TEXT NOT NULL,
    agent     TEXT NOT NULL,
    text      TEXT NOT NULL,
    status    TEXT NOT NULL,
    topic     TEXT,
    place     INTEGER NOT NULL,
    PRIMARY KEY (workspace, id)
) WITHOUT ROWID;
CREATE INDEX tasks_by_agent ON tasks (workspace, agent, place);

-- The ordered event log: every committed change, in the order of commit. What was written together is one row at
-- the place of its last event; `events` has a line for each: kind, scope, two ids and data.
CREATE TABLE log (
    workspace INTEGER NOT NULL,
    seq       INTEGER NOT NULL,
    at        INTEGER NOT NULL,
    events    TEXT NOT NULL,
    PRIMARY KEY (workspace, seq)
) WITHOUT ROWID;

-- What the planner would measure in a large workspace. Without it, it takes ten rows for a workspace and reads the
-- whole of it instead of the index that was made for the question; measured in a small one, it would do so too. Rows
-- of the index, then rows to each value of its first column, of its first two, and so on.
ANALYZE sqlite_schema;
INSERT INTO sqlite_stat1 (tbl, idx, stat) VALUES
    ('participants', 'participants', '200 200 1'),
    ('participants', 'participants_by_handle', '100 100 1'),
    ('participants', 'participants_by_account', '100 1 1'),
    ('groups', 'groups', '20 20 1'),
    ('keys', 'sqlite_autoindex_keys_1', '400 1'),
    ('keys', 'sqlite_autoindex_keys_2', '400 400 1'),
    ('sessions', 'sqlite_autoindex_sessions_1', '10000 1'),
    ('sessions', 'sqlite_autoindex_sessions_2', '10000 10000 1'),
    ('sessions', 'sessions_by_former', '10000 1'),
    ('sessions', 'sessions_open', '300 300 3'),
    ('invites', 'sqlite_autoindex_invites_1', '1000 1'),
    ('invites', 'sqlite_autoindex_invites_2', '1000 1000 1'),
    ('invites', 'invites_open', '10 10'),
    ('conversations', 'conversations', '5000 5000 1'),
    ('conversations', 'conversations_by_anchor', '5000 5000 2500 1'),
    ('stints', 'stints', '20000 20000 4 1 1'),
    ('stints', 'stints_by_participant', '15000 15000 75'),
    ('topics', 'topics', '200000 200000 1'),
    ('topics', 'topics_by_conversation', '200000 200000 40 1'),
    ('topics', 'topics_held', '400 400 2'),
    ('parties', 'parties', '400000 400000 2 1'),
    ('parties', 'parties_by_participant', '400000 400000 2000 1'),
    ('messages', 'sqlite_autoindex_messages_1', '1000000 1000000 1'),
    ('messages', 'messages_by_topic', '1000000 1000000 5 1'),
    ('deliveries', 'deliveries', '1000000 1000000 1 1'),
    ('deliveries', 'deliveries_pending', '10000 10000 50 2 1 1 1'),
    ('deliveries', 'deliveries_owed', '1000 1000 2 1'),
    ('deliveries', 'deliveries_by_turn', '900000 900000 4'),
    ('wakes', 'wakes', '800000 800000 1'),
    ('wakes', 'wakes_unanswered', '1000 1000 2'),
    ('wakes', 'wakes_pending', '1000 1000 5'),
    ('wakes', 'wakes_by_turn', '800000 800000 2'),
    ('notices', 'notices', '100000 100000 1'),
    ('notices', 'notices_pending', '100 100 1'),
    ('notices', 'notices_by_turn', '100000 100000 2'),
    ('turns', 'turns', '500000 500000 1'),
    ('turns', 'turns_by_agent', '500000 500000 2500 1'),
    ('pots', 'pots', '200 200 1'),
    ('ledger', 'ledger', '1000000 1000000 1'),
    ('sends', 'sends', '500000 500000 2500 1'),
    ('tasks', 'tasks', '2000 2000 1'),
    ('tasks', 'tasks_by_agent', '2000 2000 10 1'),
    ('log', 'log', '1500000 1500000 1');
ANALYZE sqlite_schema;

//! What holds of the rows at every moment, as questions whose answer is how often it does not. Both databases
//! understand them.

/// Each with what it would mean if it were not 0.
pub const QUESTIONS: &[(&str, &str)] = &[
    (
        "the log has gaps",
        "SELECT count(*) FROM (SELECT seq - {lines} AS before, coalesce(lag(seq) OVER
         (PARTITION BY workspace ORDER BY seq), 0) AS former FROM log) AS rows_of_log WHERE before <> former",
    ),
    (
        "a pot holds another sum than its ledger says",
        "SELECT count(*) FROM pots WHERE balance <> (SELECT coalesce(sum(amount), 0) FROM ledger
         WHERE ledger.workspace = pots.workspace AND ledger.pot = pots.pot)",
    ),
    (
        "the ledger names a pot that is not there",
        "SELECT count(*) FROM ledger WHERE NOT EXISTS (SELECT 1 FROM pots
         WHERE pots.workspace = ledger.workspace AND pots.pot = ledger.pot)",
    ),
    (
        "a line of the ledger does not add up",
        "SELECT count(*) FROM (SELECT balance, sum(amount) OVER (PARTITION BY workspace, pot ORDER BY seq) AS so_far
         FROM ledger) AS lines WHERE balance <> so_far",
    ),
    (
        "a balance is negative",
        "SELECT (SELECT count(*) FROM pots WHERE balance < 0) + (SELECT count(*) FROM ledger WHERE balance < 0)",
    ),
    (
        "a message was stored twice",
        "SELECT count(*) FROM (SELECT text FROM messages GROUP BY text HAVING count(*) > 1) AS doubles",
    ),
    (
        "a message was paid for twice or not at all",
        "SELECT count(*) FROM messages WHERE charged <> -(SELECT coalesce(sum(amount), 0) FROM ledger
         WHERE ledger.workspace = messages.workspace AND ledger.message = messages.id)",
    ),
    (
        "a message is not in the log at its place",
        "SELECT count(*) FROM messages WHERE NOT EXISTS (SELECT 1 FROM log WHERE log.workspace = messages.workspace
         AND log.seq BETWEEN messages.seq AND messages.seq + 100 AND log.seq - {lines} < messages.seq
         AND log.events LIKE '%conversation.message.posted conversation ' || messages.conversation || ' '
         || messages.topic || ' {\"message_id\":\"' || messages.id || '\"%')",
    ),
    (
        "a delivery is of no message",
        "SELECT count(*) FROM deliveries WHERE NOT EXISTS (SELECT 1 FROM messages
         WHERE messages.workspace = deliveries.workspace AND messages.id = deliveries.message)",
    ),
    (
        "an answer is owed in a topic that is closed",
        "SELECT count(*) FROM deliveries JOIN topics ON topics.workspace = deliveries.workspace
         AND topics.id = deliveries.topic WHERE deliveries.debt = 'open' AND topics.status = 'closed'",
    ),
    (
        "an answer is owed and the wake for it is gone",
        "SELECT count(*) FROM deliveries WHERE step = 'pending' AND debt = 'open' AND effect = 'wake' AND NOT EXISTS
         (SELECT 1 FROM wakes WHERE wakes.workspace = deliveries.workspace AND wakes.id = deliveries.wake
         AND wakes.status = 'pending')",
    ),
    (
        "a wake was taken without what it stands for",
        "SELECT count(*) FROM deliveries JOIN wakes ON wakes.workspace = deliveries.workspace
         AND wakes.id = deliveries.wake WHERE deliveries.step = 'pending' AND wakes.status IN ('taken', 'spent')",
    ),
    (
        "a wake stands for nothing",
        "SELECT count(*) FROM wakes WHERE status = 'pending' AND kind = 'request' AND NOT EXISTS
         (SELECT 1 FROM deliveries WHERE deliveries.workspace = wakes.workspace AND deliveries.wake = wakes.id
         AND deliveries.step = 'pending')",
    ),
    (
        "a wake was taken by a turn that is not there",
        "SELECT count(*) FROM wakes WHERE turn IS NOT NULL AND NOT EXISTS (SELECT 1 FROM turns
         WHERE turns.workspace = wakes.workspace AND turns.id = wakes.turn)",
    ),
    ("a workspace opened topics that are not there", "SELECT {events of topic.opened} - (SELECT count(*) FROM topics)"),
    (
        "topics were closed that are open",
        "SELECT {events of topic.closed}
         - (SELECT count(*) FROM topics WHERE status = 'closed')",
    ),
    (
        "messages were posted that are not there",
        "SELECT {events of conversation.message.posted}
         - (SELECT count(*) FROM messages)",
    ),
    ("wakes were made that are not there", "SELECT {events of wake.created} - (SELECT count(*) FROM wakes)"),
    (
        "a wake was taken twice",
        "SELECT {events of wake.taken}
         - (SELECT count(*) FROM wakes WHERE turn IS NOT NULL)",
    ),
    (
        "a wake was answered twice",
        "SELECT {events of wake.answered}
         - (SELECT count(*) FROM wakes WHERE status = 'answered')",
    ),
    ("turns began that are not there", "SELECT {events of turn.started} - (SELECT count(*) FROM turns)"),
    ("credits moved without a line", "SELECT {events of credits.moved} - (SELECT count(*) FROM ledger)"),
    ("keys were made that are not there", "SELECT {events of key.made} - (SELECT count(*) FROM keys)"),
];

/// Asks all at once, so that all answers are about one moment: a row for each, its number and its count.
pub fn question() -> String {
    let numbered = QUESTIONS
        .iter()
        .enumerate()
        .map(|(at, (_, question))| format!("SELECT {at}, ({})", written(question)));
    numbered.collect::<Vec<_>>().join(" UNION ALL ")
}

/// A row of the log has a line for each event: `{lines}` counts those of a row, `{events of …}` those of a kind in all.
fn written(question: &str) -> String {
    let question = question.replace("{lines}", "(length(events) - length(replace(events, '\n', '')))");
    let Some((before, kind)) = question.split_once("{events of ") else { return question };
    let (kind, after) = kind.split_once('}').expect("it is closed");
    let line = format!("\n{kind} ");
    format!(
        "{before}(SELECT coalesce(sum((length('\n' || events) - length(replace('\n' || events, '{line}', ''))) / {}), 0)
         FROM log){after}",
        line.len()
    )
}

pub fn hold(answers: &[(usize, i64)]) {
    assert_eq!(answers.len(), QUESTIONS.len());
    let broken: Vec<String> = answers
        .iter()
        .filter(|(_, count)| *count != 0)
        .map(|(at, count)| format!("{} ({count})", QUESTIONS[*at].0))
        .collect();
    assert!(broken.is_empty(), "{}", broken.join("; "));
}

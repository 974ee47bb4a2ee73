//! What a person reads outside of Ygg: our own words, ids, and the title of the topic made harmless. Nothing that was
//! said in it leaves by this way.

use crate::notice::NoticeKind;
use crate::notification::Subject;
use crate::render::show;

/// What there is to tell, with names as people know them.
pub struct Telling<'a> {
    pub subject: Subject,
    /// 0, and 1 up for each reminder.
    pub round: u32,
    /// Of the topic, if it has one and the person may read it.
    pub title: Option<&'a str>,
    /// Whom it is about.
    pub about: Option<&'a str>,
}

/// A title and a text.
pub fn words(telling: &Telling<'_>) -> (String, String) {
    let about = telling.about.map_or_else(|| "Somebody".to_owned(), harmless);
    let place = match telling.title {
        Some(title) => format!("\"{}\"", harmless(title)),
        None => "an untitled topic".to_owned(),
    };
    let (title, text) = match telling.subject {
        Subject::NeedsHuman => {
            ("A question waits for a person", format!("{place} stands still until a person writes in it."))
        }
        Subject::Credits => ("Credits are lacking", format!("{about} lacks credits to go on in {place}.")),
        Subject::Closing => (
            "A topic is about to close",
            format!("{place} closes unless you answer what you were asked there."),
        ),
        Subject::Stalled => (
            "A topic is stalled",
            format!("{place} is stalled: somebody waits there on one who does not answer."),
        ),
        Subject::Failing => (
            "An agent fails",
            format!("The runs of {about} fail, and nothing is tried again before somebody has looked."),
        ),
        Subject::Notice(kind) => notice(kind, &about, &place),
    };
    let again = if telling.round > 0 { "Still: " } else { "" };
    (format!("{again}{title}"), text)
}

fn notice(kind: NoticeKind, about: &str, place: &str) -> (&'static str, String) {
    match kind {
        NoticeKind::Nudge => ("Somebody waits for you", format!("{about} waits for you in {place}.")),
        NoticeKind::DoneUnanswered => {
            ("You were not answered", format!("{about} is done in {place} and left you without an answer."))
        }
        NoticeKind::Unmoved => {
            ("No answer yet", format!("{about} does not answer you in {place}, although it was reminded."))
        }
        NoticeKind::RecipientGone => {
            ("Somebody is gone", format!("{about} was removed and will not answer you in {place}."))
        }
        NoticeKind::ClosurePoll => {
            ("Are you done?", format!("You are asked whether you are done in {place}."))
        }
        NoticeKind::Resume => ("A topic closed", format!("{place} closed, and you left something undone.")),
        NoticeKind::SilentEnd => {
            ("A run ended without a word", format!("A run of {about} ended in {place} without a word."))
        }
        NoticeKind::TriedBefore | NoticeKind::AlreadySent => {
            ("A run failed", format!("An earlier run in {place} did not finish."))
        }
        NoticeKind::Refilled => ("Credits are there", format!("What you lacked in {place} is there now.")),
    }
}

/// Words of others without what hides, steers or becomes a link or a mention at a receiver.
pub fn harmless(text: &str) -> String {
    let shown = show(&text.replace(['\n', '\t'], " "));
    shown.replace('<', "‹").replace('>', "›").replace("://", ":// ").replace('@', "@ ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_subject_is_told_in_words_of_ours() {
        let needs = [Subject::NeedsHuman, Subject::Credits, Subject::Closing, Subject::Stalled];
        for subject in needs.into_iter().chain(NoticeKind::ALL.map(Subject::Notice)) {
            let telling = Telling { subject, round: 0, title: Some("Fix it"), about: Some("scout") };
            let (title, text) = words(&telling);
            assert!(
                !title.is_empty() && text.contains("\"Fix it\"") && text.ends_with('.'),
                "{title}: {text}"
            );
            let (again, _) = words(&Telling { round: 2, ..telling });
            assert_eq!(again, format!("Still: {title}"));
            let (_, untitled) = words(&Telling { subject, round: 0, title: None, about: None });
            assert!(untitled.contains("an untitled topic"), "{untitled}");
        }
    }

    #[test]
    fn a_title_steers_nothing_where_it_is_read() {
        for (title, harmless) in [
            ("<!channel> look", "‹!channel› look"),
            ("<https://evil.example|click>", "‹https:// evil.example|click›"),
            ("a\nb", "a b"),
            ("mail @ana", "mail @ ana"),
        ] {
            assert_eq!(super::harmless(title), harmless);
        }
        assert!(!super::harmless("a\u{202e}b\u{1b}[31m").contains(['\u{202e}', '\u{1b}']));
    }
}

//! Redacting: a message's words and files are taken out for good, and a mark stands in their place; everything else
//! about it stays [W6].

use crate::change::Change;
use crate::message::Message;
use crate::participant::{Participant, Right};
use crate::refusal::Refusal;

/// Of a message that `by` may read. None when there is nothing left to take out; whether its topic is closed does not
/// matter: what must not be read must not be read there either.
pub fn decide(message: &Message, by: &Participant) -> Result<Option<Change>, Refusal> {
    if !by.may(Right::Fund) {
        return Err(Refusal::Forbidden { needs: "redacting needs the role of admin or owner" });
    }
    let change = || Change::MessageRedacted {
        message: message.id,
        topic: message.topic,
        conversation: message.conversation,
        by: by.id.clone(),
    };
    Ok(message.redacted.is_none().then(change))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::id::{AccountId, ConversationId, MessageId, TopicId};
    use crate::message::{MessageType, Origin, Redacted};
    use crate::name::ParticipantId;
    use crate::participant::{Nature, Person, Role};
    use crate::time::Timestamp;

    fn message() -> Message {
        Message {
            id: MessageId::NONE,
            topic: TopicId::NONE,
            conversation: ConversationId::NONE,
            sender: ParticipantId::system(),
            kind: MessageType::Inform,
            text: "the password is 1234".to_owned(),
            mark: None,
            body: None,
            attachments: Vec::new(),
            in_reply_to: None,
            state: None,
            origin: Origin::NONE,
            charged: 0,
            sent_at: Timestamp(0),
            turn: None,
            redacted: None,
        }
    }

    fn person(role: Role) -> Participant {
        let nature = Nature::Person(Person {
            account: AccountId::NONE,
            handle: "ana".parse().expect("a handle"),
            role,
        });
        Participant { id: ParticipantId::person(1), display_name: String::new(), nature, removed: false }
    }

    #[test]
    fn admins_and_owners_redact_once_and_nobody_else_does() {
        let agent = Participant { nature: Nature::System, ..person(Role::Owner) };
        for (by, may) in [
            (person(Role::Viewer), false),
            (person(Role::Member), false),
            (person(Role::Admin), true),
            (person(Role::Owner), true),
            (Participant { removed: true, ..person(Role::Owner) }, false),
            (agent, false),
        ] {
            assert_eq!(decide(&message(), &by).is_ok(), may, "{by:?}");
        }
        let by = person(Role::Admin);
        assert!(matches!(decide(&message(), &by), Ok(Some(Change::MessageRedacted { .. }))));
        let before =
            Message { redacted: Some(Redacted { by: by.id.clone(), at: Timestamp(1) }), ..message() };
        assert_eq!(decide(&before, &by), Ok(None), "a second time is a friendly nothing");
        assert!(decide(&before, &person(Role::Member)).is_err());
    }
}

//! Files uploaded, sent and left.

use ygg_domain::Change;
use ygg_domain::file::{Attachment, File, FileHash};
use ygg_domain::id::{FileId, MessageId, TopicId};
use ygg_domain::message::{Delivery, Message, MessageType};
use ygg_domain::name::ParticipantId;

use super::{History, Step};

pub fn file_name(letter: u8) -> String {
    format!("{} — 話.txt", char::from(letter))
}

impl History {
    /// A file with one letter in it, as often as the letter's place in the alphabet.
    pub fn file(&mut self, uploader: &ParticipantId, letter: u8) -> Attachment {
        let content = vec![letter; usize::from(letter - b'a') + 1];
        let shown = Attachment {
            file: FileId::fresh(&mut self.ids),
            name: file_name(letter),
            media_type: "text/plain".to_owned(),
            bytes: content.len() as u64,
        };
        let file = File {
            shown: shown.clone(),
            hash: FileHash([letter; 32]),
            uploader: uploader.clone(),
            uploaded_at: self.now(),
            loose: true,
        };
        self.step(Step::File(self.here, Box::new(file), content));
        shown
    }

    /// The same once more: its time counts anew.
    pub fn file_again(&mut self, shown: &Attachment, uploader: &ParticipantId, letter: u8) {
        let (hash, uploader) = (FileHash([letter; 32]), uploader.clone());
        let file = File { shown: shown.clone(), hash, uploader, uploaded_at: self.now(), loose: true };
        self.step(Step::File(self.here, Box::new(file), vec![letter]));
    }

    pub fn redact(&mut self, topic: TopicId, message: MessageId, by: &ParticipantId) {
        let (conversation, by) = (self.conversation_of(topic), by.clone());
        self.then(Change::MessageRedacted { message, topic, conversation, by });
    }

    pub fn drop_file(&mut self, file: FileId) {
        self.step(Step::FileDropped(self.here, file));
    }

    /// Posts a plain inform with files.
    pub fn send_files(
        &mut self,
        topic: TopicId,
        sender: &ParticipantId,
        files: &[&Attachment],
        deliveries: &[Delivery],
    ) -> MessageId {
        let plain = self.message(topic, sender, MessageType::Inform);
        let attachments = files.iter().map(|file| (*file).clone()).collect();
        self.post(Message { attachments, ..plain }, deliveries)
    }
}

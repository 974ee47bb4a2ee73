//! Conversations that a caller may read, and rooms made by hand.

use ygg_domain::Refusal;
use ygg_domain::conversation::access::may_read;
use ygg_domain::conversation::room;
use ygg_domain::id::ConversationId;
use ygg_domain::limits;
use ygg_wire::Page;
use ygg_wire::conversation::{ConversationView, NewRoom};

use crate::commit::Write;
use crate::guard::Guard;
use crate::participant::named;
use crate::{Caller, Engine, Result, page};

impl Engine {
    /// In order of making.
    pub async fn conversations(
        &self,
        caller: &Caller,
        after: Option<&str>,
        limit: usize,
    ) -> Result<Page<ConversationView>> {
        let cursor = match after {
            None => None,
            Some(text) => Some(conversation_id(text)?),
        };
        let limit = limit.clamp(1, limits::PAGE_ROWS);
        let caller = caller.clone();
        self.look(caller.looker(), move |rows| {
            let guard = Guard::new(rows, &caller)?;
            let found = rows.conversations(guard.workspace, cursor, page::ROWS)?;
            page::page(
                found,
                limit,
                |conversation| conversation.id.to_string(),
                |conversation| {
                    let ties = guard.ties(&conversation, None)?;
                    if !may_read(&guard.reader, &conversation, ties) {
                        return Ok(None);
                    }
                    let stints = rows.stints(guard.workspace, conversation.id)?;
                    Ok(Some(ConversationView::new(&conversation, &stints)))
                },
            )
        })
        .await
    }

    /// A room of the caller and those who are named.
    pub async fn make_room(&self, caller: &Caller, body: NewRoom) -> Result<ConversationView> {
        let caller = caller.clone();
        self.commit(Write::by(&caller), move |work| {
            let by = Guard::new(work.tx, &caller)?.reader;
            let mut wanted = room::Wanted { members: Vec::new(), private: body.private };
            // More than may be are refused by their number, whoever they are.
            for name in body.members.iter().take(limits::ROOM_MEMBERS + 1) {
                wanted.members.push((name.clone(), named(work.tx, caller.workspace, name)?));
            }
            let (room, members, changes) = room::make(&by, &wanted, &mut work.ids, work.now)?;
            work.apply(caller.workspace, &changes)?;
            Ok(ConversationView::new(&room, &members))
        })
        .await
    }

    pub async fn conversation(&self, caller: &Caller, id: &str) -> Result<ConversationView> {
        let id = conversation_id(id)?;
        let caller = caller.clone();
        self.look(caller.looker(), move |rows| {
            let guard = Guard::new(rows, &caller)?;
            let conversation = guard.conversation(id)?;
            let stints = rows.stints(guard.workspace, id)?;
            Ok(ConversationView::new(&conversation, &stints))
        })
        .await
    }
}

fn conversation_id(text: &str) -> std::result::Result<ConversationId, Refusal> {
    text.parse().map_err(|_| Refusal::NotFound { what: "conversation" })
}

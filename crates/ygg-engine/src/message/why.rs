//! Why a message was decided as it was, for whoever may read the message [W3].

use std::cell::RefCell;

use ygg_domain::message::Fired;
use ygg_domain::name::ParticipantId;
use ygg_wire::why::{CameOfIt, CarrierView, FiredView, WhyView};

use crate::guard::Guard;
use crate::message::read::{delivery_view, message_id, readable};
use crate::{Caller, Engine, Result};

impl Engine {
    pub async fn why(&self, caller: &Caller, message: &str) -> Result<WhyView> {
        let id = message_id(message)?;
        let caller = caller.clone();
        self.look(caller.looker(), move |rows| {
            let guard = Guard::new(rows, &caller)?;
            let sender = readable(&guard, id)?.message.sender;
            let mut fired = Vec::new();
            for one in rows.decision(guard.workspace, id)? {
                if is_shown(&guard, &one, &sender)? {
                    fired.push(one);
                }
            }
            let wakes = rows.wakes_of(guard.workspace, id)?;
            let recipients = rows.deliveries(guard.workspace, id)?.into_iter().map(|delivered| {
                let wake = wakes.iter().find(|wake| wake.agent == delivered.recipient).map(CarrierView::from);
                CameOfIt { delivery: delivery_view(delivered), wake }
            });
            let recipients = recipients.collect();
            Ok(WhyView { message_id: id.to_string(), rules: said(&guard, &fired)?, recipients })
        })
        .await
    }
}

fn is_shown(guard: &Guard<'_>, fired: &Fired, sender: &ParticipantId) -> Result<bool> {
    let Some(whose) = fired.own_of(sender) else { return Ok(true) };
    let whose = guard.rows.participant(guard.workspace, whose)?;
    Ok(whose.is_some_and(|whose| guard.sees_own_of(&whose)))
}

/// In words, with people called by their handles.
fn said(guard: &Guard<'_>, fired: &[Fired]) -> Result<Vec<FiredView>> {
    let trouble = RefCell::new(None);
    let called = |id: &ParticipantId| {
        let found = guard.rows.participant(guard.workspace, id).unwrap_or_else(|error| {
            trouble.replace(Some(error));
            None
        });
        let person = found.as_ref().and_then(|found| found.as_person());
        person.map_or_else(|| id.to_string(), |person| format!("@{}", person.handle))
    };
    let said = fired.iter().map(|fired| FiredView::new(fired, &called)).collect();
    match trouble.into_inner() {
        Some(error) => Err(error.into()),
        None => Ok(said),
    }
}

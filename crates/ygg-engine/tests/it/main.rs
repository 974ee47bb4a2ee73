//! Everything that crosses the engine's edge: random histories on every store, whatever JSON a sender makes up, and
//! many callers at once, on one node or on several.

mod at_once;
mod deleted;
mod drafts;
mod files;
mod histories;
mod history;
mod inbox;
mod kept;
mod late;
mod made_up;
mod nodes;
mod place;
mod prices;
mod reading;
mod redacted;
mod runs;
mod said;
mod search;
mod seldom;
mod timers;
mod told;
mod turns;
mod views;
mod world;

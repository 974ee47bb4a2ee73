//! Every quantity that a caller can grow has a bound, and all bounds stand here. Numbers that a workspace may
//! change are in `policy`.

/// Text of one message [M5].
pub const MESSAGE_TEXT_BYTES: usize = 256 * 1024;
/// Opaque JSON body of one message.
pub const MESSAGE_BODY_BYTES: usize = 64 * 1024;
/// Files of one message.
pub const ATTACHMENTS: usize = 16;
/// Bytes of one file [O4].
pub const FILE_BYTES: usize = 10 * 1024 * 1024;
pub const FILE_NAME_CHARS: usize = 200;
pub const MEDIA_TYPE_BYTES: usize = 100;
/// Files that one participant uploaded and no message carries, and their bytes.
pub const LOOSE_FILES: usize = 32;
pub const LOOSE_FILE_BYTES: u64 = 64 * 1024 * 1024;
/// How long a file is kept that no message carries.
pub const LOOSE_FILE_HOURS: u64 = 24;
/// Messages that are looked at for whether somebody may read one that carries a file, the newest first.
pub const FILE_CARRIERS: usize = 1_000;
/// Title of a topic, in characters [T2].
pub const TITLE_CHARS: usize = 120;
/// Entries of `to` and of `waiting_for`.
pub const ADDRESSES: usize = 64;
/// Length of one entry of `to` in bytes: `group:` and a name, or an id.
pub const ADDRESS_BYTES: usize = 64;
/// Participants one message can reach.
pub const RECIPIENTS: usize = 256;
pub const IDEMPOTENCY_KEY_BYTES: usize = 200;
/// Agent ids, group names, handles, hook names, workspace names in addresses.
pub const NAME_BYTES: usize = 32;
pub const DISPLAY_NAME_CHARS: usize = 64;
pub const DESCRIPTION_CHARS: usize = 300;
pub const GROUP_MEMBERS: usize = 128;
/// Those that a room made by hand is asked for with.
pub const ROOM_MEMBERS: usize = 128;
/// Workspaces of one server.
pub const WORKSPACES: usize = 1_000;
pub const AGENTS: usize = 10_000;
pub const KEY_LABEL_CHARS: usize = 64;
pub const KEYS_PER_PARTICIPANT: usize = 20;
/// The one that was used longest ago ends when another begins.
pub const SESSIONS_PER_PARTICIPANT: usize = 20;
/// Invites of a workspace that can be accepted.
pub const INVITES: usize = 100;
/// Shorter ones can be guessed, longer ones only cost time [O8].
pub const PASSWORD_CHARS: std::ops::RangeInclusive<usize> = 10..=256;
pub const TASKS_PER_AGENT: usize = 200;
pub const TASK_TEXT_CHARS: usize = 500;
/// Largest single grant, and the most that any balance may hold.
pub const CREDITS: i64 = 1_000_000_000;

/// A query.
pub const SEARCH_QUERY_CHARS: usize = 200;
pub const SEARCH_QUERY_WORDS: usize = 16;
/// A word goes no further, in a text and in a query alike.
pub const SEARCH_WORD_CHARS: usize = 60;
/// Words that one text is found by: all of them, unless folding swells it. PostgreSQL takes no more than a megabyte.
pub const SEARCH_WORDS_BYTES: usize = 640 * 1024;
/// Places looked at for one page of what was found, whether the reader may see them or not.
pub const SEARCH_PLACES: usize = 2_000;
/// Participants found by their names beside a first page.
pub const SEARCH_NAMES: usize = 20;
pub const SNIPPET_CHARS: usize = 160;

/// Of a supervised turn's lease: shorter ones end between two renewals, longer ones keep a dead turn's wake waiting.
pub const LEASE_SECONDS: std::ops::RangeInclusive<u64> = 5..=600;
pub const LEASE_SECONDS_DEFAULT: u64 = 30;
/// What one turn may say that it cost, in US dollars.
pub const TURN_USD: f64 = 1_000_000.0;
/// What is kept of a failed turn's own words.
pub const TURN_PROBLEM_CHARS: usize = 500;
/// Messages of a failed turn that the next attempt is told of.
pub const TURN_SENT_TOLD: usize = 20;

/// Size of one inbox answer in characters of rendered text: below what the strictest clients accept [U1].
pub const INBOX_CHARS: usize = 20_000;
/// A longer text is shown in the inbox by its beginning, with the way to fetch the rest.
pub const INBOX_TEXT_CHARS: usize = 6_000;
/// Deliveries looked at for one inbox answer: about as many as fit it when every text is a word.
pub const INBOX_DELIVERIES: usize = 100;
/// Texts of one page or one look at the log; the item that passes it is the last.
pub const PAGE_BYTES: usize = 1024 * 1024;
/// Unread messages of one topic that are counted; where there are more it is said to be this many.
pub const UNREAD: usize = 10_000;
/// Messages that wait to be sent to one person outside of Ygg.
pub const OUTBOX_WAITING: usize = 100;
/// Of a webhook.
pub const OUTLET_URL_BYTES: usize = 2048;
/// Of mail, as RFC 5321 has it.
pub const MAIL_ADDRESS_BYTES: usize = 254;
/// Rows of one page of a list.
pub const PAGE_ROWS: usize = 200;
/// Size of one page of a conversation read back by a tool, in characters.
pub const READ_BACK_CHARS: usize = 20_000;

//! The closed set of acts that the audit log keeps.

/// Every kind of act that is kept.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    AgentAdded,
    AgentEdited,
    AgentRemoved,
    AgentPaused,
    AgentResumed,
    WorkspacePaused,
    WorkspaceResumed,
    GroupSet,
    KeyMade,
    KeyRevoked,
    RoleChanged,
    PersonAdded,
    PersonEdited,
    PersonRemoved,
    InviteMade,
    InviteRevoked,
    InviteAccepted,
    /// By somebody else than the one who was signed in.
    SessionEnded,
    PolicySet,
    CreditsGranted,
    /// By hand, not because all were done.
    TopicClosed,
    TopicRetitled,
    MessageRedacted,
    /// What others said in private was read by what a role or operating an agent gives.
    PrivateRead,
    SendRefused,
}

impl Kind {
    pub const ALL: [Self; 25] = [
        Self::AgentAdded,
        Self::AgentEdited,
        Self::AgentRemoved,
        Self::AgentPaused,
        Self::AgentResumed,
        Self::WorkspacePaused,
        Self::WorkspaceResumed,
        Self::GroupSet,
        Self::KeyMade,
        Self::KeyRevoked,
        Self::RoleChanged,
        Self::PersonAdded,
        Self::PersonEdited,
        Self::PersonRemoved,
        Self::InviteMade,
        Self::InviteRevoked,
        Self::InviteAccepted,
        Self::SessionEnded,
        Self::PolicySet,
        Self::CreditsGranted,
        Self::TopicClosed,
        Self::TopicRetitled,
        Self::MessageRedacted,
        Self::PrivateRead,
        Self::SendRefused,
    ];

    pub fn name(self) -> &'static str {
        match self {
            Self::AgentAdded => "agent_added",
            Self::AgentEdited => "agent_edited",
            Self::AgentRemoved => "agent_removed",
            Self::AgentPaused => "agent_paused",
            Self::AgentResumed => "agent_resumed",
            Self::WorkspacePaused => "workspace_paused",
            Self::WorkspaceResumed => "workspace_resumed",
            Self::GroupSet => "group_set",
            Self::KeyMade => "key_made",
            Self::KeyRevoked => "key_revoked",
            Self::RoleChanged => "role_changed",
            Self::PersonAdded => "person_added",
            Self::PersonEdited => "person_edited",
            Self::PersonRemoved => "person_removed",
            Self::InviteMade => "invite_made",
            Self::InviteRevoked => "invite_revoked",
            Self::InviteAccepted => "invite_accepted",
            Self::SessionEnded => "session_ended",
            Self::PolicySet => "policy_set",
            Self::CreditsGranted => "credits_granted",
            Self::TopicClosed => "topic_closed",
            Self::TopicRetitled => "topic_retitled",
            Self::MessageRedacted => "message_redacted",
            Self::PrivateRead => "private_read",
            Self::SendRefused => "send_refused",
        }
    }

    pub fn read(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|kind| kind.name() == name)
    }
}

//! Roles of people, and the one table of what each may do [W3].

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Role {
    Viewer,
    Member,
    Admin,
    Owner,
}

impl Role {
    pub const ALL: [Self; 4] = [Self::Viewer, Self::Member, Self::Admin, Self::Owner];

    pub fn name(self) -> &'static str {
        match self {
            Self::Viewer => "viewer",
            Self::Member => "member",
            Self::Admin => "admin",
            Self::Owner => "owner",
        }
    }

    pub fn read(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|role| role.name() == name)
    }

    /// Whether the role alone gives the right. Where a member may act for agents it operates, the rule that
    /// uses the right asks for that as well.
    pub fn may(self, right: Right) -> bool {
        self >= right.least()
    }
}

/// One line of the table of [W3].
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Right {
    /// Groups, agent-to-agent conversations and rooms that are not private.
    ReadShared,
    /// Private rooms and directs of others with an agent, monologues, turn logs, why.
    ReadPrivate,
    /// Write, open topics, close those one is party to.
    Write,
    /// Doors, held notes, stopping a turn, pausing an agent.
    Operate,
    /// Credits, ceilings, closing any topic, redaction.
    Fund,
    /// Agents, groups, people, keys, policy, audit log, pausing the workspace.
    Administer,
    /// Owners, export, deletion of the workspace.
    Own,
}

impl Right {
    pub const ALL: [Self; 7] = [
        Self::ReadShared,
        Self::ReadPrivate,
        Self::Write,
        Self::Operate,
        Self::Fund,
        Self::Administer,
        Self::Own,
    ];

    fn least(self) -> Role {
        match self {
            Self::ReadShared | Self::Write => Role::Member,
            Self::ReadPrivate | Self::Operate | Self::Fund | Self::Administer => Role::Admin,
            Self::Own => Role::Owner,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_table_of_roles() {
        // viewer, member, admin, owner [W3]
        let table = [
            (Right::ReadShared, [false, true, true, true]),
            (Right::ReadPrivate, [false, false, true, true]),
            (Right::Write, [false, true, true, true]),
            (Right::Operate, [false, false, true, true]),
            (Right::Fund, [false, false, true, true]),
            (Right::Administer, [false, false, true, true]),
            (Right::Own, [false, false, false, true]),
        ];
        assert_eq!(table.len(), Right::ALL.len());
        for (right, expected) in table {
            assert_eq!(Role::ALL.map(|role| role.may(right)), expected, "{right:?}");
        }
    }
}

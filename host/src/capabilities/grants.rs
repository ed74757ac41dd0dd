//! Which interfaces a plugin may use.

/// An interface that needs the operator's approval. Log, clock, random and the request's own facts do not.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[repr(u8)]
pub enum Capability {
    /// `galley:sql/sql`
    Sql,
    /// `galley:sites/versions`
    Versions,
    /// `galley:sites/publishing`
    Publishing,
    /// `galley:blobs/blobs`
    Blobs,
    /// `galley:logs/logs`
    Logs,
    /// `galley:bells/bells`
    Bells,
    /// `galley:events/events`
    Events,
    /// `galley:builds/builds`
    Builds,
    /// `galley:projects/projects`
    Projects,
    /// `galley:accounts/accounts`
    Accounts,
    /// `galley:settings/settings`
    Settings,
    /// `galley:mail/mail`
    Mail,
    /// `galley:administration/members`
    Members,
    /// `galley:administration/invites`
    Invites,
    /// `galley:administration/domain-rules`
    DomainRules,
    /// `galley:administration/instance-settings`
    InstanceSettings,
    /// `galley:administration/mail-server`
    MailServer,
    /// `galley:administration/audit`
    Audit,
    /// `galley:attachments/attachments`
    Attachments,
    /// `galley:outbound/outbound`
    Outbound,
}

impl Capability {
    /// All of them.
    pub const ALL: [Self; 20] = [
        Self::Sql,
        Self::Versions,
        Self::Publishing,
        Self::Blobs,
        Self::Logs,
        Self::Bells,
        Self::Events,
        Self::Builds,
        Self::Projects,
        Self::Accounts,
        Self::Settings,
        Self::Mail,
        Self::Members,
        Self::Invites,
        Self::DomainRules,
        Self::InstanceSettings,
        Self::MailServer,
        Self::Audit,
        Self::Attachments,
        Self::Outbound,
    ];

    /// The interface's name without its version, as in `plugins.lock`.
    pub fn name(self) -> &'static str {
        match self {
            Self::Sql => "galley:sql/sql",
            Self::Versions => "galley:sites/versions",
            Self::Publishing => "galley:sites/publishing",
            Self::Blobs => "galley:blobs/blobs",
            Self::Logs => "galley:logs/logs",
            Self::Bells => "galley:bells/bells",
            Self::Events => "galley:events/events",
            Self::Builds => "galley:builds/builds",
            Self::Projects => "galley:projects/projects",
            Self::Accounts => "galley:accounts/accounts",
            Self::Settings => "galley:settings/settings",
            Self::Mail => "galley:mail/mail",
            Self::Members => "galley:administration/members",
            Self::Invites => "galley:administration/invites",
            Self::DomainRules => "galley:administration/domain-rules",
            Self::InstanceSettings => "galley:administration/instance-settings",
            Self::MailServer => "galley:administration/mail-server",
            Self::Audit => "galley:administration/audit",
            Self::Attachments => "galley:attachments/attachments",
            Self::Outbound => "galley:outbound/outbound",
        }
    }
}

/// The interfaces one plugin was granted.
#[derive(Debug, Clone, Copy, Default)]
pub struct Grants(u32);

impl Grants {
    /// From the names in `plugins.lock`; names that need no grant, or that this host does not know, are ignored.
    pub fn of<'a>(names: impl IntoIterator<Item = &'a str>) -> Self {
        let mut grants = Self::default();
        for name in names {
            // An approval that was written for version 0.1 of the contract.
            if name == "galley:sites/sites" {
                grants.0 |= 1 << Capability::Versions as u8 | 1 << Capability::Publishing as u8;
            }
            if let Some(capability) = Capability::ALL.into_iter().find(|capability| capability.name() == name) {
                grants.0 |= 1 << capability as u8;
            }
        }
        grants
    }

    /// Whether the plugin may use the interface.
    pub fn has(self, capability: Capability) -> bool {
        self.0 & (1 << capability as u8) != 0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_is_named_is_granted() {
        let grants = Grants::of(["galley:sql/sql", "galley:log/log", "wasi:io/poll"]);
        assert!(grants.has(Capability::Sql));
        assert!(Capability::ALL.into_iter().filter(|&c| grants.has(c)).count() == 1);
    }
}

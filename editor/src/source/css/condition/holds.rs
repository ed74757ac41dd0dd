//! Three truths: yes, no, and not known.

/// Whether a condition holds. `min` is "and", `max` is "or".
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Holds {
    /// It does not.
    No,
    /// Neither the source nor the page tells.
    Unknown,
    /// It does.
    Yes,
}

impl Holds {
    /// `true`, `false`, or neither.
    #[must_use]
    pub fn known(self) -> Option<bool> {
        match self {
            Self::No => Some(false),
            Self::Unknown => None,
            Self::Yes => Some(true),
        }
    }

    /// The opposite.
    #[must_use]
    pub fn opposite(self) -> Self {
        match self {
            Self::No => Self::Yes,
            Self::Unknown => Self::Unknown,
            Self::Yes => Self::No,
        }
    }
}

impl From<bool> for Holds {
    fn from(holds: bool) -> Self {
        if holds { Self::Yes } else { Self::No }
    }
}

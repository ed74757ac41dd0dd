//! What must not be, in words.

/// What is wrong with it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Kind {
    /// What was acknowledged or seen is not there.
    Lost,
    /// It is there twice, or what two have in common is one's alone.
    Doubled,
    /// Anything else: no order explains it, or a server must not answer so.
    Wrong,
}

/// Something that must not be.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Objection {
    /// What is wrong with it.
    pub kind: Kind,
    /// A sentence, or some.
    pub said: String,
}

impl Kind {
    /// An objection of this kind.
    pub fn said(self, said: impl Into<String>) -> Objection {
        Objection {
            kind: self,
            said: said.into(),
        }
    }
}

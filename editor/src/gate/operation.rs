//! What can be under way in a repository while nobody should edit its files.

/// Something that was begun with git and is not finished.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Operation {
    /// `git merge`
    Merge,
    /// `git rebase`
    Rebase,
    /// `git am`
    Am,
    /// `git cherry-pick`
    CherryPick,
    /// `git revert`
    Revert,
    /// `git bisect`
    Bisect,
}

impl Operation {
    /// Git's name for it.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Operation::Merge => "merge",
            Operation::Rebase => "rebase",
            Operation::Am => "am",
            Operation::CherryPick => "cherry-pick",
            Operation::Revert => "revert",
            Operation::Bisect => "bisect",
        }
    }

    /// Their names, and for each how to leave it.
    pub(super) fn describe(operations: &[Operation]) -> String {
        let names: Vec<_> = operations.iter().map(|operation| operation.name()).collect();
        let ways: Vec<_> = operations
            .iter()
            .map(|operation| match operation {
                Operation::Bisect => "`git bisect reset`".to_owned(),
                other => format!("`git {0} --continue` or `git {0} --abort`", other.name()),
            })
            .collect();
        format!("{} (finish or abort first: {})", names.join(", "), ways.join("; "))
    }
}

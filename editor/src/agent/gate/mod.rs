//! The gate: the only way from what a model says to a file.
//!
//! A [`Proposal`] names texts that stand in files exactly once, and what takes their place. [`Gate::propose`] takes it whole or
//! refuses it with a code: whether each text is there once, whether the files and the size are allowed, whether the prototype could
//! do something new afterwards, whether the files still read and mean the same elsewhere. What passes becomes one step of the
//! history. Whoever knows what the page should show looks at it then, while no other edit can come between, and may have the step
//! taken back.
//!
//! What the engine plans because a model asked for it is held to the same rules (`planned`): a dev server runs the markup that a model
//! wrote, whoever put it into the file.

mod capability;
mod hunks;
mod layout;
mod off_limits;
mod planned;
mod proposal;
mod refusal;
mod unseen;

use std::collections::BTreeMap;
use std::sync::Arc;

pub use planned::{Leave, write};
pub use proposal::{Hunk, Limits, Proposal, TOOL};
pub use refusal::{Code, Refusal};
pub(super) use unseen::unseen;

use crate::source::model::{Change, Plan, Project, Replacement};
use crate::source::verify;
use crate::workspace::{By, Committed, EntryKind, Workspace, WorkspaceError, checked};

/// Hears of every step and of every step that was taken back.
pub type Told = Arc<dyn Fn(&Committed) + Send + Sync>;

/// A file's path, its text now, and its text afterwards.
pub type Text = (String, Arc<str>, String);

/// What one proposal may bring, in bytes, all its texts together.
const MAX_PROPOSAL_BYTES: usize = 1 << 20;

/// Lets proposals through to the files of a prototype.
#[derive(Clone)]
pub struct Gate {
    workspace: Arc<Workspace>,
    told: Told,
}

/// A proposal that passed every check that needs no page.
#[derive(Debug, Clone)]
pub struct Checked {
    /// What is replaced.
    pub plan: Plan,
    /// Of each file that it changes.
    pub texts: Vec<Text>,
}

/// A step that was made.
pub type Accepted = Committed;

impl Gate {
    /// For a prototype; `told` hears of what changes.
    #[must_use]
    pub fn new(workspace: Arc<Workspace>, told: Told) -> Self {
        Self { workspace, told }
    }

    /// The files it leads to.
    #[must_use]
    pub fn workspace(&self) -> &Arc<Workspace> {
        &self.workspace
    }

    /// Checks a proposal and writes nothing.
    ///
    /// # Errors
    /// With the first check that refuses it.
    pub fn check(&self, proposal: &Proposal, limits: &Limits) -> Result<Checked, Refusal> {
        self.checked(proposal, limits)
    }

    fn checked(&self, proposal: &Proposal, limits: &Limits) -> Result<Checked, Refusal> {
        check(&*self.workspace, &|path| self.workspace.is_own(path), proposal, limits)
    }

    /// Checks a proposal and makes it one step of the history, which is called `title`. While `seen` looks at the page no other
    /// edit is made; when it refuses, the step is taken back as if it had never been. Blocks: not for asynchronous code.
    ///
    /// # Errors
    /// With the check that refuses it; no file differs then.
    pub fn propose(
        &self,
        proposal: &Proposal,
        limits: &Limits,
        title: &str,
        by: By,
        seen: impl FnOnce(&Accepted) -> Result<(), Refusal>,
    ) -> Result<Accepted, Refusal> {
        self.propose_when(proposal, limits, title, by, || Ok(()), seen)
    }

    /// The same, where `ready` agrees: it is asked last, when no other edit can be made any more.
    ///
    /// # Errors
    /// The same, and what `ready` refuses with.
    pub fn propose_when(
        &self,
        proposal: &Proposal,
        limits: &Limits,
        title: &str,
        by: By,
        ready: impl FnOnce() -> Result<(), Refusal>,
        seen: impl FnOnce(&Accepted) -> Result<(), Refusal>,
    ) -> Result<Accepted, Refusal> {
        let mut writer = self.workspace.writer().on_behalf_of(by);
        let checked = self.checked(proposal, limits)?;
        ready()?;
        let done = writer
            .replace(EntryKind::Model, title, &checked.texts)
            .map_err(|error| not_written(&error))?;
        (self.told)(&done);
        let Err(mut refusal) = seen(&done) else {
            return Ok(done);
        };
        match writer.withdraw(&done.id) {
            Ok(back) => {
                drop(writer);
                (self.told)(&back);
            }
            // Somebody else has the file by now: their change is not thrown away.
            Err(error) => {
                let reason = &refusal.reason;
                refusal.reason = format!("{reason}. The change could not be taken back: {error}");
            }
        }
        Err(refusal)
    }
}

fn not_written(error: &WorkspaceError) -> Refusal {
    let code = match error {
        WorkspaceError::Changed(_) | WorkspaceError::Misfit(_) => Code::NotUnique,
        WorkspaceError::BadPath(_) | WorkspaceError::NotWritable { .. } | WorkspaceError::TooLarge(_) => {
            Code::OffLimits
        }
        _ => Code::NotVerified,
    };
    Refusal::new(code, error.to_string())
}

/// Every check that needs no page. `is_own` says whether a file is the prototype's own.
///
/// # Errors
/// With the first check that refuses it.
pub fn check(
    project: &dyn Project,
    is_own: &dyn Fn(&str) -> bool,
    proposal: &Proposal,
    limits: &Limits,
) -> Result<Checked, Refusal> {
    let bytes: usize = proposal.files.iter().map(|hunk| hunk.old.len() + hunk.new.len()).sum();
    if bytes > MAX_PROPOSAL_BYTES {
        return Err(Refusal::new(Code::TooMuch, "the proposal is longer than a megabyte"));
    }
    let mut by_path: BTreeMap<&str, Vec<&Hunk>> = BTreeMap::new();
    for hunk in &proposal.files {
        allowed(is_own, &hunk.path, limits)?;
        by_path.entry(&hunk.path).or_default().push(hunk);
    }
    let mut words = Plan::default();
    let mut stretches = Plan::default();
    let mut texts = Vec::new();
    for (path, hunks) in by_path {
        let old = project.read(path).ok_or_else(|| {
            let reason = format!("{path} is not there, or is no text of at most 4 MB");
            Refusal::new(Code::OffLimits, reason)
        })?;
        let mut fine = change_of(path, Vec::new());
        let mut coarse = change_of(path, Vec::new());
        let mut ranges: Vec<std::ops::Range<usize>> = Vec::new();
        for hunk in hunks {
            let range = hunks::place(&old, hunk)?;
            if ranges
                .iter()
                .any(|other| other.start < range.end && range.start < other.end)
            {
                let reason = format!("two changes of {path} overlap: make them one");
                return Err(Refusal::new(Code::NotUnique, reason));
            }
            fine.replacements.extend(hunks::shrink(hunk, range.start));
            coarse.replacements.extend(hunks::stretch(hunk, range.start));
            ranges.push(range);
        }
        if fine.replacements.is_empty() {
            continue;
        }
        let misfit = || Refusal::new(Code::NotUnique, format!("the changes of {path} do not fit each other"));
        let new = fine.apply(&old).ok_or_else(misfit)?;
        texts.push((path.to_owned(), old, new));
        words.changes.push(fine);
        stretches.changes.push(coarse);
    }
    if texts.is_empty() {
        return Err(Refusal::new(
            Code::NotVerified,
            "the proposal changes nothing: `old` and `new` are the same",
        ));
    }
    size(&words, &texts, limits)?;
    laid_out(&texts, limits)?;
    nothing_new(&texts, limits)?;
    let plan = verified(project, words, stretches)?;
    Ok(Checked { plan, texts })
}

/// The plan of the words that differ; where their places mislead (the same tags before and behind what is taken out), that of
/// the whole stretches.
fn verified(project: &dyn Project, words: Plan, stretches: Plan) -> Result<Plan, Refusal> {
    if verify::verify(project, &words).is_ok() {
        return Ok(words);
    }
    match verify::verify(project, &stretches) {
        Ok(()) => Ok(stretches),
        Err(refusal) => Err(Refusal::new(Code::NotVerified, refusal.reason)),
    }
}

fn allowed(is_own: &dyn Fn(&str) -> bool, path: &str, limits: &Limits) -> Result<(), Refusal> {
    let refuse = |why: &str| Err(Refusal::new(Code::OffLimits, format!("{path} is not changed: {why}")));
    if let Err(error) = checked(path) {
        return refuse(&error.to_string());
    }
    if let Some(why) = off_limits::reason(path) {
        return refuse(why);
    }
    if let Some(paths) = &limits.paths
        && !paths.iter().any(|known| known == path)
    {
        return refuse("it is none of the files this edit is about");
    }
    if !is_own(path) {
        return refuse("git does not track it, so it is not the prototype's own source");
    }
    Ok(())
}

fn size(plan: &Plan, texts: &[Text], limits: &Limits) -> Result<(), Refusal> {
    let in_file = |(path, old, _): &Text| -> usize {
        let changes = plan.changes.iter().filter(|change| change.path == *path);
        let replacements = changes.flat_map(|change| &change.replacements);
        replacements.map(|one| hunks::lines(old, one)).sum()
    };
    let files = texts.len();
    let lines: usize = texts.iter().map(in_file).sum();
    if files <= limits.files && lines <= limits.lines {
        return Ok(());
    }
    let reason = format!(
        "the change is of {files} files and {lines} lines, and at most {} and {} are allowed at once: change less",
        limits.files, limits.lines
    );
    limits.refuse(Refusal::new(Code::TooMuch, reason))
}

/// Neither something that a file could not do before, nor a sign that nobody sees.
fn nothing_new(texts: &[Text], limits: &Limits) -> Result<(), Refusal> {
    for (path, old, new) in texts {
        if let Some(what) = capability::new_capability(old, new) {
            let reason = format!("{path} would get something new: {what}. Do it without, or ask the user");
            limits.refuse(Refusal::new(Code::NewCapability, reason))?;
        }
    }
    for (path, old, new) in texts {
        if let Some(what) = unseen::unseen(old, new) {
            let reason = format!("{path} would get {what}, which nobody sees: leave that out");
            return Err(Refusal::new(Code::NotVerified, reason));
        }
    }
    Ok(())
}

/// Lines that only get other white space, apart from every change.
fn laid_out(texts: &[Text], limits: &Limits) -> Result<(), Refusal> {
    let mut texts = texts.iter();
    let found = texts.find_map(|(path, old, new)| Some((path, layout::only_laid_out(path, old, new)?)));
    let Some((path, (line, count))) = found else {
        return Ok(());
    };
    let reason = format!(
        "{count} lines of {path}, the first of them line {line}, would only be laid out anew: leave the white space of lines that do not change"
    );
    limits.refuse(Refusal::new(Code::TooMuch, reason))
}

fn change_of(path: &str, replacements: Vec<Replacement>) -> Change {
    let path = path.to_owned();
    Change { path, replacements }
}

#[cfg(test)]
mod tests;

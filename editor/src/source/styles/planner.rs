//! Which place is changed, and how.

use crate::source::classes::breakpoints;
use crate::source::classes::tailwind::utility;
use crate::source::model::inspection::StyleFrom;
use crate::source::model::{Choice, Code, LineIndex, Plan, Project, Refusal, Scope, Stamp, Whenever};

use super::base::Base;
use super::cascade::{Contender, Utilities, notes, notes_of};
use super::inline::Own;
use super::object::computed;
use super::own::{Says, insert, no_place, opaque, replaced};
use super::properties::{check_property, check_value, covers};
use super::sheets::{Source, sources};
use super::style_edit::StyleEdit;
use super::subject::Subject;
use super::utilities::{any_utility, class_for, has_default_spacing, has_tailwind, is_layered, setting, setting_under};
use crate::source::css::edit::Declarations;
use crate::source::css::matching::{Match, Sure};
use crate::source::css::selector::Simple;

/// How the edit is done.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Step {
    /// By these replacements.
    Plan(Plan),
    /// By an edit of the element's class list, as a request of the kind `class` would do it.
    Classes {
        /// Added.
        add: Vec<String>,
        /// Removed.
        remove: Vec<String>,
        /// What people should know besides, in whole sentences.
        notes: Vec<String>,
    },
}

/// What to change so that the element's property has the value.
///
/// # Errors
/// With the refusals that [`super`] lists.
pub fn plan(project: &dyn Project, subject: &Subject<'_>, edit: &StyleEdit<'_>) -> Result<Step, Refusal> {
    check_property(edit.property)?;
    let value = edit.value.map(check_value).transpose()?;
    let planner = Planner {
        project,
        subject,
        edit,
        owns: Own::read(project, subject),
    };
    match value {
        Some(value) => planner.set(value),
        None => planner.remove(),
    }
}

pub(super) struct Planner<'a> {
    pub project: &'a dyn Project,
    pub subject: &'a Subject<'a>,
    pub edit: &'a StyleEdit<'a>,
    pub owns: Vec<Own<'a>>,
}

impl<'a> Planner<'a> {
    fn set(&self, value: &str) -> Result<Step, Refusal> {
        let property = self.edit.property;
        let (sources, broken) = sources(self.project, self.subject, self.edit.viewport);
        let candidates = self.candidates(&sources);
        if let Some(place) = self.edit.at
            && let Some(target) = self.at(&candidates, place)?
        {
            return self.set_rules(&[target], value, &candidates);
        }
        let important = value.contains('!');
        let on_element = |step: Step| {
            let beats = |other: &Contender<'_>| Some(other.declared.important && !important);
            with_notes(step, notes(property, &candidates, &beats))
        };
        // The first that says anything wins over the others.
        for own in &self.owns {
            match own.says(self.subject, property) {
                Says::Declares | Says::Covers | Says::Spreads => {
                    return own.set(self.subject, self.edit, value).map(Step::Plan).map(on_element);
                }
                Says::Unknown => return Err(opaque(self.subject, own.inline)),
                Says::Nothing => {}
            }
        }
        if self.subject.is_component && self.edit.scope == Some(Scope::All) {
            // What is meant for all uses is none of this one's.
            return Err(no_place(property));
        }
        let tailwind = self.takes_class() && has_tailwind(self.project);
        if tailwind && let Some(step) = self.set_class(value, &candidates)? {
            return Ok(step);
        }
        let winner = self.winner(&candidates, value)?;
        if let Some(first) = winner.first() {
            let step = self.set_rules(&winner, value, &candidates)?;
            return Ok(self.with_base(step, first, &winner, value));
        }
        if let Some(path) = broken.first() {
            return Err(malformed(path));
        }
        if let Some(own) = self.owns.first() {
            return own.set(self.subject, self.edit, value).map(Step::Plan).map(on_element);
        }
        if tailwind
            && (any_utility(&self.subject.classes) || self.subject.is_component)
            && self.edit.scope.is_none()
            && let Some(class) = class_for(property, value, None, has_default_spacing(self.project))
        {
            let utilities = self.utilities(&class);
            let mut notes = notes(property, &candidates, &|other| other.beats_utility(utilities));
            if notes.is_empty() && self.subject.classes_computed {
                notes.push(format!(
                    "The page may not change: some classes of the element are computed, and one of them may declare {property} too"
                ));
            }
            return Ok(Step::Classes {
                add: vec![class],
                remove: Vec::new(),
                notes,
            });
        }
        let in_force = candidates.iter().any(|candidate| candidate.sure() != Sure::No);
        if let Some((source, found)) = self
            .own_rule(&sources)
            .filter(|_| !in_force && self.edit.scope != Some(Scope::Item))
        {
            return Ok(Step::Plan(add_to(source, found.rule, property, value)));
        }
        self.on_element(value).map(on_element)
    }

    /// By a utility in place of the one that sets the property; `None` when there is none, or when a rule wins over it.
    fn set_class(&self, value: &str, candidates: &[Contender<'_>]) -> Result<Option<Step>, Refusal> {
        let property = self.edit.property;
        if let Some(step) = self.set_where_a_breakpoint_decides(value, candidates)? {
            return Ok(Some(step));
        }
        let Some(setting) = setting(property, &self.subject.classes) else {
            return Ok(None);
        };
        let class = class_for(property, value, Some(&setting.class), has_default_spacing(self.project));
        let class = class.ok_or_else(|| self.set_by_class(&setting.class))?;
        let utilities = self.utilities(&class);
        let loses = candidates
            .iter()
            .any(|other| other.sure() == Sure::Yes && other.beats_utility(utilities) == Some(true));
        if loses {
            return Ok(None);
        }
        let remove = if setting.exact && class != setting.class && !replaces(&class, &setting.class) {
            vec![setting.class]
        } else {
            Vec::new()
        };
        Ok(Some(Step::Classes {
            add: vec![class],
            remove,
            notes: notes(property, candidates, &|other| other.beats_utility(utilities)),
        }))
    }

    /// By a utility, where one with a breakpoint decides at the width that is shown; `None` when none does.
    fn set_where_a_breakpoint_decides(
        &self,
        value: &str,
        candidates: &[Contender<'_>],
    ) -> Result<Option<Step>, Refusal> {
        let property = self.edit.property;
        let Some(width) = self.edit.viewport.width else {
            return Ok(None);
        };
        let breakpoints = breakpoints(self.project);
        let under: Vec<_> = breakpoints
            .iter()
            .filter_map(|each| Some((each, setting_under(property, &self.subject.classes, &each.name)?)))
            .collect();
        let Some((breakpoint, deciding)) = under.iter().rfind(|(each, _)| each.width <= width) else {
            return Ok(None);
        };
        let utilities = self.utilities(&deciding.class);
        let loses = candidates
            .iter()
            .any(|other| other.sure() == Sure::Yes && other.beats_utility(utilities) == Some(true));
        if loses {
            return Ok(None);
        }
        let class = class_for(property, value, None, has_default_spacing(self.project));
        let class = class.ok_or_else(|| self.set_by_class(&deciding.class))?;
        let notes = notes(property, candidates, &|other| other.beats_utility(utilities));
        match self.edit.when {
            Some(Whenever::Now) => Ok(Some(Step::Classes {
                add: vec![format!("{}:{class}", breakpoint.name)],
                remove: Vec::new(),
                notes,
            })),
            Some(Whenever::Always) => {
                let remove = under.iter().filter(|(_, setting)| setting.exact);
                Ok(Some(Step::Classes {
                    remove: remove.map(|(_, setting)| setting.class.clone()).collect(),
                    add: vec![class],
                    notes,
                }))
            }
            None => {
                let words = format!("on pages from {} pixels wide", breakpoint.width);
                let reason = format!(
                    "{property} is set by the class {}, {words}: choose what the change is for",
                    deciding.class
                );
                let choices = vec![
                    Choice::when(Whenever::Now, format!("Only {words}")),
                    Choice::when(Whenever::Always, "At all widths"),
                ];
                Err(Refusal::choose(reason, choices))
            }
        }
    }

    fn utilities(&self, class: &str) -> Utilities {
        Utilities {
            layered: is_layered(self.project),
            important: class.contains('!'),
        }
    }

    /// The declaration that stands at a place; `None` when it is one of the element's own style.
    pub(super) fn at<'c, 's>(
        &self,
        candidates: &'c [Contender<'s>],
        place: &Stamp,
    ) -> Result<Option<&'c Contender<'s>>, Refusal> {
        let here = |candidate: &&Contender<'_>| {
            let offset = candidate.source.start() + candidate.declared.node.range.start;
            candidate.exact
                && candidate.source.path == place.path
                && LineIndex::new(candidate.source.file()).position(offset) == place.at
        };
        let found = candidates.iter().find(here);
        let found = found.filter(|candidate| candidate.found.selects == Sure::Yes);
        if found.is_some() || self.owns.iter().any(|own| own.path(self.subject) == place.path) {
            return Ok(found);
        }
        let reason = format!(
            "{place} declares no {} that certainly holds for this element: select the element once more",
            self.edit.property
        );
        Err(Refusal::changed(reason))
    }

    /// The declarations of all rules that concern the property.
    pub(super) fn candidates<'s>(&self, sources: &'s [Source]) -> Vec<Contender<'s>> {
        let property = self.edit.property;
        let mut candidates = Vec::new();
        for (order, source) in sources.iter().enumerate() {
            for found in &source.matches {
                for declared in source.declarations(found.rule) {
                    let exact = declared.property == property;
                    if exact || covers(&declared.property, property) {
                        candidates.push(Contender {
                            source,
                            found,
                            declared,
                            exact,
                            order,
                        });
                    }
                }
            }
        }
        candidates
    }

    /// With a declaration that always holds, where that is wanted and none is among the targets.
    fn with_base(&self, step: Step, first: &Contender<'_>, targets: &[&Contender<'_>], value: &str) -> Step {
        let always = self.edit.when == Some(Whenever::Always);
        let conditional = targets.iter().all(|target| !target.found.conditions.is_empty());
        match (step, Base::of(first)) {
            (Step::Plan(mut plan), Some(base)) if always && conditional => {
                join(&mut plan, base.add(first, self.edit.property, value));
                Step::Plan(plan)
            }
            (step, _) => step,
        }
    }

    /// Writes the value into each of the declarations.
    fn set_rules(&self, targets: &[&Contender<'_>], value: &str, all: &[Contender<'_>]) -> Result<Step, Refusal> {
        let mut plan = Plan::default();
        for target in targets {
            join(&mut plan, self.set_rule(target, value)?);
        }
        // Of several declarations one is in force: together they win over whatever the first of them wins over.
        if let [target] = targets {
            plan.notes = notes_of(self.edit.property, target, all);
        }
        Ok(Step::Plan(plan))
    }

    /// Whether a class of the element is one of what the page shows.
    pub(super) fn takes_class(&self) -> bool {
        !self.subject.is_component || self.subject.takes.class
    }

    fn set_rule(&self, winner: &Contender<'_>, value: &str) -> Result<Plan, Refusal> {
        let (source, rule) = (winner.source, winner.found.rule);
        if !winner.exact {
            // A longhand that stands before the shorthand would have to stand behind it.
            let before = source
                .declarations(rule)
                .any(|declared| declared.property == self.edit.property);
            if before {
                return Err(replaced(self.edit.property, &winner.declared.property));
            }
            return Ok(add_to(source, rule, self.edit.property, value));
        }
        if winner.declared.value.contains("v-bind(") {
            return Err(computed(self.edit.property, winner.declared.value));
        }
        let change = Declarations::change(winner.declared.node, value);
        let change = change.ok_or_else(|| malformed(&source.path))?;
        Ok(source.plan(change))
    }

    /// A rule of the element alone: it names nothing but a class of a module or of the component's scoped styles.
    fn own_rule<'s>(&self, sources: &'s [Source]) -> Option<(&'s Source, &'s Match)> {
        let own = sources
            .iter()
            .filter(|source| matches!(source.from, StyleFrom::Module | StyleFrom::Scoped));
        let rules = own.flat_map(|source| source.matches.iter().map(move |found| (source, found)));
        let lone =
            |found: &Match| matches!(found.own.as_slice(), [own] if matches!(own.as_slice(), [Simple::Class(_)]));
        rules
            .filter(|(_, found)| found.selects == Sure::Yes && found.conditions.is_empty())
            .filter(|(_, found)| found.layer.is_empty() && lone(found))
            .filter(|(source, found)| source.shared(self.project, self.subject, found) == 1)
            .max_by_key(|(_, found)| (found.weight, found.rule))
    }

    /// On the element itself.
    fn on_element(&self, value: &str) -> Result<Step, Refusal> {
        let plan = match self.owns.first() {
            Some(own) => own.set(self.subject, self.edit, value),
            None => insert(self.subject, self.edit.property, value),
        };
        plan.map(Step::Plan)
    }

    pub(super) fn set_by_class(&self, class: &str) -> Refusal {
        let reason = format!(
            "The class {class} sets {}: change the class instead",
            self.edit.property
        );
        Refusal::uncertain(Code::SetByClass, reason)
    }
}

/// Adds the changes of a plan to those of another one.
pub(super) fn join(all: &mut Plan, plan: Plan) {
    for change in plan.changes {
        match all.changes.iter_mut().find(|own| own.path == change.path) {
            Some(own) => own.replacements.extend(change.replacements),
            None => all.changes.push(change),
        }
    }
}

fn with_notes(step: Step, notes: Vec<String>) -> Step {
    match step {
        Step::Plan(plan) => Step::Plan(Plan { notes, ..plan }),
        Step::Classes { add, remove, .. } => Step::Classes { add, remove, notes },
    }
}

/// Whether adding the class already makes the other void.
fn replaces(new: &str, old: &str) -> bool {
    matches!((utility(new), utility(old)), (Some(new), Some(old)) if new.overrides(&old))
}

fn add_to(source: &Source, rule: usize, property: &str, value: &str) -> Plan {
    let declarations = Declarations::of(&source.sheet, source.text(), Some(rule));
    source.plan(declarations.add(property, value))
}

fn malformed(path: &str) -> Refusal {
    let reason = format!(
        "{path} cannot be read as a stylesheet: a brace, a string or a comment does not close. Correct that first"
    );
    Refusal::uncertain(Code::StylesheetBroken, reason)
}

//! Which place is changed, and how.

use crate::source::classes::tailwind::utility;
use crate::source::model::inspection::StyleFrom;
use crate::source::model::{Choice, Code, Plan, Project, Refusal, Replacement, Scope};

use super::inline::Own;
use super::object::computed;
use super::own::{Says, insert, no_place, opaque, replaced};
use super::properties::{check_property, check_value, covers};
use super::sheets::{Declared, Source, sources};
use super::subject::Subject;
use super::utilities::{any_utility, class_for, has_default_spacing, has_tailwind, setting};
use super::wish::Wish;
use crate::source::css::edit::Declarations;
use crate::source::css::matching::{Match, Sure};
use crate::source::css::selector::{Simple, Weight};

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
    },
}

/// What to change so that the element's property has the value.
///
/// # Errors
/// With the refusals that [`super`] lists.
pub fn plan(project: &dyn Project, subject: &Subject<'_>, wish: &Wish<'_>) -> Result<Step, Refusal> {
    check_property(wish.property)?;
    let value = wish.value.map(check_value).transpose()?;
    let planner = Planner {
        project,
        subject,
        wish,
        owns: Own::read(project, subject),
    };
    match value {
        Some(value) => planner.set(value),
        None => planner.remove(),
    }
}

struct Planner<'a> {
    project: &'a dyn Project,
    subject: &'a Subject<'a>,
    wish: &'a Wish<'a>,
    owns: Vec<Own<'a>>,
}

/// A declaration of a rule that concerns the property.
struct Candidate<'s> {
    source: &'s Source,
    found: &'s Match,
    declared: Declared<'s>,
    /// Whether it declares the property itself, not through a shorthand.
    exact: bool,
    /// Where the stylesheet stands among the others.
    order: usize,
}

impl Candidate<'_> {
    /// What decides between two rules of one stylesheet: the greater wins.
    fn rank(&self) -> (bool, bool, usize, Weight, usize) {
        let (important, layer) = (self.declared.important, self.found.layer);
        // For important declarations the order of layers is turned around.
        let layered = layer.is_none() != important;
        let layer = layer.map_or(0, |layer| if important { usize::MAX - layer } else { layer });
        (important, layered, layer, self.found.weight, self.declared.index)
    }

    /// The part of the rank that counts across stylesheets, of which the order is not known.
    fn strength(&self) -> (bool, bool, Weight) {
        let (important, layered, _, weight, _) = self.rank();
        (important, layered, weight)
    }

    /// For people: `.card in src/App.css`.
    fn name(&self) -> String {
        format!("{} in {}", self.source.selector(self.found.rule), self.source.path)
    }
}

impl<'a> Planner<'a> {
    fn set(&self, value: &str) -> Result<Step, Refusal> {
        let property = self.wish.property;
        // The first that says anything wins over the others.
        for own in &self.owns {
            match own.says(self.subject, property) {
                Says::Declares | Says::Covers | Says::Spreads => {
                    return own.set(self.subject, self.wish, value).map(Step::Plan);
                }
                Says::Unknown => return Err(opaque(self.subject, own.inline)),
                Says::Nothing => {}
            }
        }
        if self.subject.is_component && self.wish.scope == Some(Scope::All) {
            // What is meant for all uses is none of this one's.
            return Err(no_place(property));
        }
        let tailwind = self.takes_class() && has_tailwind(self.project);
        if tailwind && let Some(setting) = setting(property, &self.subject.classes) {
            let class = class_for(property, value, Some(&setting.class), has_default_spacing(self.project));
            let class = class.ok_or_else(|| self.set_by_class(&setting.class))?;
            let remove = if setting.exact && class != setting.class && !replaces(&class, &setting.class) {
                vec![setting.class]
            } else {
                Vec::new()
            };
            return Ok(Step::Classes {
                add: vec![class],
                remove,
            });
        }
        let (sources, broken) = sources(self.project, self.subject);
        let candidates = self.candidates(&sources);
        if let Some(winner) = self.winner(&candidates, value)? {
            return self.set_rule(winner, value);
        }
        if let Some(path) = broken.first() {
            return Err(malformed(path));
        }
        if let Some(own) = self.owns.first() {
            return own.set(self.subject, self.wish, value).map(Step::Plan);
        }
        if tailwind
            && (any_utility(&self.subject.classes) || self.subject.is_component)
            && self.wish.scope.is_none()
            && let Some(class) = class_for(property, value, None, has_default_spacing(self.project))
        {
            return Ok(Step::Classes {
                add: vec![class],
                remove: Vec::new(),
            });
        }
        if let Some((source, found)) = self
            .own_rule(&sources)
            .filter(|_| candidates.is_empty() && self.wish.scope != Some(Scope::Item))
        {
            return Ok(Step::Plan(add_to(source, found.rule, property, value)));
        }
        self.on_element(value)
    }

    fn remove(&self) -> Result<Step, Refusal> {
        let property = self.wish.property;
        for own in &self.owns {
            match own.says(self.subject, property) {
                Says::Declares => return own.remove(self.subject, self.wish).map(Step::Plan),
                Says::Covers => return Err(by_shorthand(property)),
                Says::Unknown => return Err(opaque(self.subject, own.inline)),
                Says::Spreads | Says::Nothing => {}
            }
        }
        if has_tailwind(self.project)
            && self.takes_class()
            && let Some(setting) = setting(property, &self.subject.classes)
        {
            if setting.exact {
                return Ok(Step::Classes {
                    add: Vec::new(),
                    remove: vec![setting.class],
                });
            }
            return Err(self.set_by_class(&setting.class));
        }
        let (sources, _) = sources(self.project, self.subject);
        let candidates = self.candidates(&sources);
        let Some(winner) = self.winner(&candidates, "")? else {
            let reason = format!(
                "Nothing that the source tells for certain declares {property} for this element: there is nothing to remove"
            );
            return Err(Refusal::uncertain(Code::NoDeclaration, reason));
        };
        if !winner.exact {
            return Err(by_shorthand(property));
        }
        if self.wish.scope == Some(Scope::Item) {
            let reason = format!(
                "{property} is declared by {}: it can only be removed for all elements with that rule",
                winner.name()
            );
            return Err(Refusal::uncertain(Code::SharedStyle, reason));
        }
        let own: Vec<Declared<'_>> = winner
            .source
            .declarations(winner.found.rule)
            .filter(|declared| declared.property == property)
            .collect();
        let [only] = own.as_slice() else {
            let reason = format!(
                "{} declares {property} several times; remove them in the code",
                winner.name()
            );
            return Err(Refusal::uncertain(Code::SeveralRules, reason));
        };
        let declarations = Declarations::of(&winner.source.sheet, winner.source.text(), Some(winner.found.rule));
        Ok(Step::Plan(placed(winner.source, declarations.remove(only.node))))
    }

    /// The declarations of all rules that concern the property.
    fn candidates<'s>(&self, sources: &'s [Source]) -> Vec<Candidate<'s>> {
        let property = self.wish.property;
        let mut candidates = Vec::new();
        for (order, source) in sources.iter().enumerate() {
            for found in &source.matches {
                for declared in source.declarations(found.rule) {
                    let exact = declared.property == property;
                    if exact || covers(&declared.property, property) {
                        candidates.push(Candidate {
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

    /// The declaration that is in force, if there is a certain one; with an answer about the scope where one is needed.
    /// `Ok(None)` also when `scope: item` was chosen.
    fn winner<'c, 's>(
        &self,
        candidates: &'c [Candidate<'s>],
        value: &str,
    ) -> Result<Option<&'c Candidate<'s>>, Refusal> {
        let certain = candidates.iter().filter(|candidate| candidate.found.sure == Sure::Yes);
        let Some(winner) = certain
            .clone()
            .max_by_key(|candidate| (candidate.strength(), candidate.order, candidate.rank()))
        else {
            return Ok(None);
        };
        if self.wish.scope == Some(Scope::Item) && !value.is_empty() {
            return match winner.declared.important {
                true => Err(important(winner)),
                false => Ok(None),
            };
        }
        let rival = certain
            .clone()
            .find(|other| other.order != winner.order && other.strength() == winner.strength());
        let mut uncertain = candidates
            .iter()
            .filter(|candidate| candidate.found.sure == Sure::Maybe);
        let threat = uncertain.find(|other| {
            if other.order == winner.order {
                other.rank() > winner.rank()
            } else {
                other.strength() >= winner.strength()
            }
        });
        let shared = winner.source.shared(self.project, self.subject, winner.found);
        let doubt = match (rival, threat) {
            (Some(rival), _) => Some(format!(
                "{} also declares it, and which of them wins is not certain",
                rival.name()
            )),
            (_, Some(threat)) => Some(format!("{} might declare it too, and win", threat.name())),
            _ => None,
        };
        match (self.wish.scope, doubt) {
            (Some(Scope::All), _) => Ok(Some(winner)),
            (_, Some(doubt)) => Err(self.choose(
                winner,
                shared,
                &doubt,
                if rival.is_some() {
                    Code::SeveralRules
                } else {
                    Code::StyleUncertain
                },
            )),
            _ if shared > 1 => {
                Err(self.choose(winner, shared, "other elements have the same rule", Code::ChoiceNeeded))
            }
            _ => Ok(Some(winner)),
        }
    }

    fn choose(&self, winner: &Candidate<'_>, shared: usize, why: &str, code: Code) -> Refusal {
        let places = match shared {
            1 => "for this element".to_owned(),
            2..1000 => format!("for all {shared} places of the source that it holds for"),
            _ => "for every element that it holds for".to_owned(),
        };
        let mut choices = vec![Choice::scope(Scope::All, format!("Change {} {places}", winner.name()))];
        if self.wish.value.is_some() && !winner.declared.important && self.can_stand_on_element() {
            choices.push(Choice::scope(Scope::Item, "Only this element, in its own style"));
        }
        let reason = format!(
            "{} is declared by {}, but {why}: choose what the change is for",
            self.wish.property,
            winner.name()
        );
        Refusal {
            code,
            ..Refusal::choose(reason, choices)
        }
    }

    /// Whether a class of the element is one of what the page shows.
    fn takes_class(&self) -> bool {
        !self.subject.is_component || self.subject.takes.class
    }

    fn can_stand_on_element(&self) -> bool {
        !self.owns.is_empty() || (self.subject.insert.is_some() && !self.subject.is_component)
    }

    fn set_rule(&self, winner: &Candidate<'_>, value: &str) -> Result<Step, Refusal> {
        let (source, rule) = (winner.source, winner.found.rule);
        if !winner.exact {
            // A longhand that stands before the shorthand would have to stand behind it.
            let before = source
                .declarations(rule)
                .any(|declared| declared.property == self.wish.property);
            if before {
                return Err(replaced(self.wish.property, &winner.declared.property));
            }
            return Ok(Step::Plan(add_to(source, rule, self.wish.property, value)));
        }
        if winner.declared.value.contains("v-bind(") {
            return Err(computed(self.wish.property, winner.declared.value));
        }
        let change = Declarations::change(winner.declared.node, value);
        let change = change.ok_or_else(|| malformed(&source.path))?;
        Ok(Step::Plan(placed(source, change)))
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
            .filter(|(_, found)| found.sure == Sure::Yes && found.layer.is_none() && lone(found))
            .filter(|(source, found)| source.shared(self.project, self.subject, found) == 1)
            .max_by_key(|(_, found)| (found.weight, found.rule))
    }

    /// On the element itself.
    fn on_element(&self, value: &str) -> Result<Step, Refusal> {
        let plan = match self.owns.first() {
            Some(own) => own.set(self.subject, self.wish, value),
            None => insert(self.subject, self.wish.property, value),
        };
        plan.map(Step::Plan)
    }

    fn set_by_class(&self, class: &str) -> Refusal {
        let reason = format!(
            "The class {class} sets {}: change the class instead",
            self.wish.property
        );
        Refusal::uncertain(Code::SetByClass, reason)
    }
}

/// Whether adding the class already makes the other void.
fn replaces(new: &str, old: &str) -> bool {
    matches!((utility(new), utility(old)), (Some(new), Some(old)) if new.overrides(&old))
}

/// A replacement within a stylesheet, in its file.
fn placed(source: &Source, replacement: Replacement) -> Plan {
    let start = source.start();
    let range = replacement.range.start + start..replacement.range.end + start;
    Plan::of(&source.path, vec![Replacement { range, ..replacement }])
}

fn add_to(source: &Source, rule: usize, property: &str, value: &str) -> Plan {
    let declarations = Declarations::of(&source.sheet, source.text(), Some(rule));
    placed(source, declarations.add(property, value))
}

fn by_shorthand(property: &str) -> Refusal {
    let reason = format!("{property} is set through a shorthand, which sets other properties too: change that instead");
    Refusal::uncertain(Code::SetByShorthand, reason)
}

fn malformed(path: &str) -> Refusal {
    let reason = format!(
        "{path} cannot be read as a stylesheet: a brace, a string or a comment does not close. Correct that first"
    );
    Refusal::uncertain(Code::StylesheetBroken, reason)
}

fn important(winner: &Candidate<'_>) -> Refusal {
    let reason = format!(
        "{} declares it as !important, which wins over the element's own style: change it for all elements with that rule, or take the !important out in the code",
        winner.name()
    );
    Refusal::uncertain(Code::StyleUncertain, reason)
}

//! The texts that an element shows itself, in their order.

use std::sync::Arc;

use super::evaluate::Resolver;
use super::value::{At, Candidate, Decision, ElementAt, FunctionAt, Provenance, Reason, Value};
use crate::source::model::Code;
use crate::source::model::inspection::RunForm;
use crate::source::model::plan::short;
use crate::source::model::{Branch, Stamp};
use crate::source::module::{Fixed, FunctionId, Key, Module, Part, Shape, Shown};
use crate::source::notation::Notation;

/// One text among those an element shows, with all the places it can come from.
#[derive(Debug, Clone)]
pub struct Run {
    /// At least one.
    pub ways: Vec<Way>,
}

/// One place a run's text can come from.
#[derive(Debug, Clone)]
pub struct Way {
    pub(super) provenance: Provenance,
    /// The characters and the file they stand in, or why there are none.
    pub end: Result<(Arc<Module>, Fixed), Reason>,
    /// The expression between the tags, when it stands nowhere.
    pub source: String,
    /// Where it comes from.
    pub form: RunForm,
}

impl Way {
    fn new(provenance: &Provenance, end: Result<(Arc<Module>, Fixed), Reason>, form: RunForm) -> Self {
        let provenance = provenance.clone();
        let form = if end.is_err() { RunForm::Expression } else { form };
        let source = String::new();
        Self {
            provenance,
            end,
            source,
            form,
        }
    }

    fn fixed(provenance: &Provenance, module: &Arc<Module>, fixed: &Fixed) -> Self {
        let form = form(provenance, fixed.notation);
        Self::new(provenance, Ok((module.clone(), fixed.clone())), form)
    }

    /// The text it shows; empty when it stands nowhere.
    #[must_use]
    pub fn text(&self) -> &str {
        self.end.as_ref().map_or("", |(_, fixed)| &fixed.text)
    }

    /// The place of the characters.
    #[must_use]
    pub fn at(&self) -> Option<Stamp> {
        let (module, fixed) = self.end.as_ref().ok()?;
        Some(Stamp {
            path: module.path.clone(),
            at: module.position(fixed.range.start),
        })
    }

    /// The side of a conditional that leads here, seen from the outermost one.
    #[must_use]
    pub fn branch(&self) -> Option<Branch> {
        let sides = self.provenance.iter().find_map(|decision| match decision {
            Decision::Branch(_, branch) => Some(*branch),
            _ => None,
        });
        // `on && 'text'` has one side.
        let shown = || {
            self.provenance
                .iter()
                .any(|decision| matches!(decision, Decision::Shown(_)))
        };
        sides.or_else(|| shown().then_some(Branch::Then))
    }

    /// The uses of components that lead here, the innermost component first.
    pub fn usages(&self) -> impl Iterator<Item = &Stamp> {
        self.provenance.iter().filter_map(|decision| match decision {
            Decision::Usage(_, _, stamp) => Some(stamp),
            _ => None,
        })
    }

    /// Whether the page shows an item of a list here.
    #[must_use]
    pub fn is_item(&self) -> bool {
        self.provenance
            .iter()
            .any(|decision| matches!(decision, Decision::Item { .. }))
    }

    /// The language, and whether it is the one the prototype begins with.
    #[must_use]
    pub fn locale(&self) -> Option<(&str, bool)> {
        self.provenance.iter().find_map(|decision| match decision {
            Decision::Locale(locale, default) => Some((locale.as_str(), *default)),
            _ => None,
        })
    }

    /// What it shows, for a label.
    #[must_use]
    pub fn label(&self) -> String {
        match &self.end {
            Ok((_, fixed)) => format!("“{}”", short(&fixed.text)),
            Err(_) => "what the code gives".to_owned(),
        }
    }

    /// The condition it is shown on, for a label.
    #[must_use]
    pub fn condition(&self) -> String {
        let conditions = self.provenance.iter().filter_map(|decision| match decision {
            Decision::Branch(at, branch) => match (&at.node().shape, branch) {
                (Shape::Conditional(test, ..), Branch::Then) => {
                    Some(format!(" – when {}", short(at.with(*test).excerpt())))
                }
                (Shape::Or(left, _), Branch::Else) => Some(format!(" – without {}", short(at.with(*left).excerpt()))),
                (Shape::Conditional(..), _) => Some(" – otherwise".to_owned()),
                _ => None,
            },
            Decision::Shown(at) => match &at.node().shape {
                Shape::And(left, _) => Some(format!(" – when {}", short(at.with(*left).excerpt()))),
                _ => None,
            },
            _ => None,
        });
        conditions.take(1).collect()
    }

    /// What tells it apart from its like, for a label.
    #[must_use]
    pub fn detail(&self) -> String {
        let details = self.provenance.iter().filter_map(|decision| match decision {
            Decision::Item { index, .. } => Some(format!("item {}, ", index + 1)),
            Decision::Property(_, key) => Some(format!("{}, ", short(key))),
            Decision::Locale(locale, _) => Some(format!("{locale}, ")),
            _ => None,
        });
        details.collect()
    }

    /// Whether it can be what the page shows for this instance of the element.
    #[must_use]
    pub fn agrees(&self, instance: &Provenance) -> bool {
        let same = |decision: &Decision| match decision {
            Decision::Item { of, index, .. } => instance.iter().all(|other| match other {
                Decision::Item {
                    of: list, index: at, ..
                } if list == of => at == index,
                _ => true,
            }),
            Decision::Usage(of, element, _) => instance.iter().all(|other| match other {
                Decision::Usage(component, at, _) if component == of => at == element,
                _ => true,
            }),
            _ => true,
        };
        self.provenance.iter().all(same)
    }
}

/// The most telling decision names the form.
fn form(provenance: &Provenance, notation: Notation) -> RunForm {
    let has = |wanted: fn(&Decision) -> bool| provenance.iter().any(wanted);
    if has(|decision| matches!(decision, Decision::Locale(..))) {
        RunForm::Translation
    } else if has(|decision| matches!(decision, Decision::Item { .. })) {
        RunForm::Item
    } else if has(|decision| matches!(decision, Decision::Usage(..))) {
        match notation {
            Notation::JsxText | Notation::HtmlText | Notation::VerbatimText => RunForm::Children,
            _ => RunForm::Prop,
        }
    } else if has(|decision| matches!(decision, Decision::Branch(..) | Decision::Property(..))) {
        RunForm::Branch
    } else {
        match notation {
            Notation::JsxText | Notation::HtmlText | Notation::VerbatimText => RunForm::Plain,
            _ => RunForm::Literal,
        }
    }
}

impl Resolver<'_> {
    /// The runs of an element; what other elements inside it show is theirs.
    #[must_use]
    pub fn runs(&self, element: &ElementAt) -> Vec<Run> {
        self.apart(|| self.children(element, &Vec::new()))
    }

    fn children(&self, element: &ElementAt, provenance: &Provenance) -> Vec<Run> {
        let runs = || {
            let module = &element.module;
            let children = module[element.id].shown();
            Some(
                children
                    .flat_map(|child| self.child(module, child, provenance))
                    .collect(),
            )
        };
        self.deeper(runs).unwrap_or_default()
    }

    fn child(&self, module: &Arc<Module>, child: Shown<'_>, provenance: &Provenance) -> Vec<Run> {
        match child {
            Shown::Text(fixed) => vec![Run {
                ways: vec![Way::fixed(provenance, module, fixed)],
            }],
            Shown::Expression(id) => {
                let at = At {
                    module: module.clone(),
                    id,
                };
                self.expression(&at, provenance)
            }
            Shown::Element(id) => {
                let element = Self::element(module, id);
                if module[id].tag.is_empty() {
                    return self.children(&element, provenance);
                }
                match self.translation_element(&element, provenance) {
                    Some(candidates) => self.together(&candidates),
                    None => Vec::new(),
                }
            }
        }
    }

    /// The runs of an expression between tags.
    pub(super) fn expression(&self, at: &At, provenance: &Provenance) -> Vec<Run> {
        let mut runs = self.expression_runs(at, provenance);
        for way in runs.iter_mut().flat_map(|run| &mut run.ways) {
            if way.end.is_err() && way.source.is_empty() {
                way.source = short(at.excerpt());
            }
        }
        runs
    }

    fn expression_runs(&self, at: &At, provenance: &Provenance) -> Vec<Run> {
        // Markup is left alone without following what it would be made of.
        if let Shape::Call(callee, arguments) = &at.node().shape
            && let Shape::Member(_, Key::Named(method)) = &at.module[*callee].shape
            && matches!(method.as_str(), "map" | "flatMap")
            && let Some(Shape::Function(function)) = arguments.first().map(|first| &at.module[*first].shape)
        {
            return self.mapped(at, *function, provenance);
        }
        let candidates = self.follow(at, provenance);
        let runs = self.deeper(|| Some(self.together(&candidates)));
        runs.unwrap_or_else(|| {
            let reason = format!(
                "The way from {} to its text is too long or goes in a circle; change it in the code there",
                at.place()
            );
            let end = Err(Reason::new(Code::TooDeep, reason));
            let ways = vec![Way::new(provenance, end, RunForm::Expression)];
            vec![Run { ways }]
        })
    }

    /// What a list shows when its function gives texts and not markup.
    fn mapped(&self, at: &At, function: FunctionId, provenance: &Provenance) -> Vec<Run> {
        let returns = at.module[function].returns.iter();
        let runs = returns.flat_map(|id| self.expression(&at.with(*id), provenance));
        let ways: Vec<Way> = runs.flat_map(|run| run.ways).collect();
        // A function that gives a component's use is none of the element's own text.
        if ways.is_empty() {
            Vec::new()
        } else {
            vec![Run { ways }]
        }
    }

    /// One way gives its runs; several ways are one run.
    fn together(&self, candidates: &[Candidate]) -> Vec<Run> {
        if let [only] = candidates {
            return self.candidate(only);
        }
        let runs = candidates.iter().flat_map(|candidate| self.candidate(candidate));
        let ways: Vec<Way> = runs.flat_map(|run| run.ways).collect();
        if ways.is_empty() {
            Vec::new()
        } else {
            vec![Run { ways }]
        }
    }

    fn candidate(&self, candidate: &Candidate) -> Vec<Run> {
        let provenance = &candidate.provenance;
        let one = |way: Way| vec![Run { ways: vec![way] }];
        let at = match &candidate.value {
            Value::Nothing => return Vec::new(),
            Value::Content(element) => return self.children(element, provenance),
            Value::Node(at) => at,
            other => return one(Way::new(provenance, Err(self.why(other)), RunForm::Expression)),
        };
        match &at.node().shape {
            Shape::Text(fixed) => one(Way::fixed(provenance, &at.module, fixed)),
            Shape::Number(text) => {
                let fixed = Fixed {
                    range: at.node().range.clone(),
                    text: text.clone(),
                    notation: Notation::Number,
                };
                one(Way::fixed(provenance, &at.module, &fixed))
            }
            Shape::Joined(parts) => {
                let part = |part: &Part| match part {
                    Part::Fixed(fixed) => one(Way::fixed(provenance, &at.module, fixed)),
                    Part::Hole(id) => self.expression(&at.with(*id), provenance),
                };
                parts.iter().flat_map(part).collect()
            }
            Shape::Element(id) => {
                let child = Shown::Element(*id);
                self.child(&at.module, child, provenance)
            }
            Shape::List(items) => {
                let items = items.iter().map(|item| at.with(item.value));
                items.flat_map(|item| self.expression(&item, provenance)).collect()
            }
            _ => one(Way::new(
                provenance,
                Err(self.why(&candidate.value)),
                RunForm::Expression,
            )),
        }
    }

    /// Which items of which lists the page's element number `item` with this stamp shows; `None` when that cannot be told.
    pub fn instance(&self, element: &ElementAt, item: usize) -> Option<Provenance> {
        let all = self.apart(|| self.instances(element, 8))?;
        // Each time the whole list is shown, it gives as many elements.
        let index = item % all.len().max(1);
        all.into_iter().nth(index)
    }

    fn instances(&self, element: &ElementAt, depth: u32) -> Option<Vec<Provenance>> {
        let module = &element.module;
        let written = &module[element.id];
        let lists = self.lists_around(module, written.function);
        let component = self.component_of(element);
        let mut provenances = match component
            .as_ref()
            .map(|component| (component, self.uses().of(component)))
        {
            Some((component, [(usage, stamp)])) if depth > 0 => {
                let around = self.instances(usage, depth - 1)?;
                let decision = || Decision::Usage(component.clone(), usage.clone(), stamp.clone());
                around
                    .iter()
                    .map(|provenance| super::value::and(provenance, decision()))
                    .collect()
            }
            Some((_, several)) if several.len() > 1 && lists.is_empty() => return None,
            _ => vec![Provenance::new()],
        };
        for list in &lists {
            // What decides whether an item is shown makes counting useless.
            let function = &list.module[list.id];
            if function.returns.len() > 1 {
                return None;
            }
            let at = self.list_of(list)?;
            let mut next = Vec::new();
            for provenance in &provenances {
                if super::list::depends(&self.follow(&at, provenance), provenance) {
                    return None;
                }
                for candidate in self.items(list, &at, provenance) {
                    let inexact = |decision: &Decision| matches!(decision, Decision::Item { exact: false, .. });
                    if candidate.provenance.iter().any(inexact) || matches!(candidate.value, Value::Unknown(_)) {
                        return None;
                    }
                    next.push(candidate.provenance);
                }
                if next.len() > super::evaluate::MAX_WAYS {
                    return None;
                }
            }
            provenances = next;
        }
        let repeated = !lists.is_empty() || provenances.len() > 1;
        if written.conditional && repeated {
            return None;
        }
        Some(provenances).filter(|provenances| !provenances.is_empty())
    }

    /// The component whose source holds an element.
    #[must_use]
    pub fn component_of(&self, element: &ElementAt) -> Option<FunctionAt> {
        let module = &element.module;
        let mut function = module[element.id].function;
        while let Some(id) = function {
            let at = FunctionAt {
                module: module.clone(),
                id,
            };
            if self.list_of(&at).is_none() && self.may_be_component(&at) {
                return Some(at);
            }
            function = module[id].outer;
        }
        None
    }
}

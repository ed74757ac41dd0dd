//! Which rules of a stylesheet hold for an element, and how certain that is.

use std::collections::HashMap;

use super::condition::{Condition, Holds};
use super::rules::{MAX_DEPTH, Ordered, Rule};
use super::scan::Sheet;
use super::selector::{Complex, Compound, Relation, Selector, Simple, Weight};
use crate::source::model::viewport::Viewport;

pub use super::rules::Layer;

/// Whether a condition holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Sure {
    /// It does not.
    No,
    /// The source does not tell.
    Maybe,
    /// In some states of the page it does: `:hover`, a width of the window.
    State,
    /// It does.
    Yes,
}

impl Sure {
    fn not(self) -> Self {
        match self {
            Self::No => Self::Yes,
            Self::Maybe => Self::Maybe,
            Self::State => Self::State,
            Self::Yes => Self::No,
        }
    }
}

/// An element as a stylesheet sees it.
#[derive(Debug, Clone, Default)]
pub struct Facts<'a> {
    /// The tag; `None` for a component, of which nothing is known.
    pub tag: Option<&'a str>,
    /// Attributes with literal values.
    pub attributes: Vec<(&'a str, Option<&'a str>)>,
    /// Whether it may have more.
    pub open: bool,
    /// Classes that `.name` means in this stylesheet.
    pub classes: Vec<&'a str>,
    /// Classes that `:global(.name)` means.
    pub global: Vec<&'a str>,
    /// Whether it may have more classes.
    pub classes_open: bool,
}

/// A rule that holds for the element, or might.
#[derive(Debug, Clone, PartialEq)]
pub struct Match {
    /// Its index in the sheet: of a rule, or of an at-rule nested in one that has declarations of its own.
    pub rule: usize,
    /// Whether its selector holds; never [`Sure::No`].
    pub selects: Sure,
    /// Whether its conditions hold in the page that is shown.
    pub holds: Holds,
    /// The greatest weight of the selectors that match.
    pub weight: Weight,
    /// The `@layer`s around it; empty when there is none.
    pub layer: Layer,
    /// The names of that layer, from the outermost on.
    pub names: Vec<String>,
    /// Where it stands beside the rules of other stylesheets.
    pub across: Across,
    /// The at-rules around it that are conditions.
    pub conditions: Vec<Condition>,
    /// What each of the selectors says about the element itself.
    pub own: Vec<Compound>,
}

/// Where a rule stands in the cascade of all stylesheets.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Across {
    /// Where its layer stands; empty outside of layers.
    pub layer: Layer,
    /// Whether that is certain.
    pub sure: bool,
    /// Where the rule itself stands: the stylesheet that the others are imported into, and the statements on the way from there.
    pub place: Option<(usize, Vec<usize>)>,
}

impl Match {
    /// Whether its conditions hold, by what each of them says.
    pub fn judge(&mut self, viewport: &Viewport) {
        let holds = self.conditions.iter().map(|condition| condition.holds(viewport)).min();
        self.holds = holds.unwrap_or(Holds::Yes);
    }

    /// Whether it is in force: its selector and its conditions hold.
    #[must_use]
    pub fn sure(&self) -> Sure {
        match self.holds {
            Holds::Yes => self.selects,
            Holds::Unknown => self.selects.min(Sure::State),
            Holds::No => Sure::No,
        }
    }
}

/// All rules that hold for the first of `elements`, or might; the others are the elements around it, nearest first. In
/// the order of the sheet. Those whose conditions do not hold in the page are among them.
#[must_use]
pub fn matches(sheet: &Sheet, text: &str, elements: &[Facts<'_>], viewport: &Viewport) -> Vec<Match> {
    let rules = sheet.rules(text);
    let mut matcher = Matcher {
        elements: &elements[..elements.len().min(MAX_DEPTH)],
        rules: &rules.known,
        known: HashMap::new(),
    };
    let mut found = Vec::new();
    for Ordered { index, context, needs } in &rules.order {
        if !needs.is_empty() && needs.iter().all(|need| matcher.simple(need, None, 0) == Sure::No) {
            continue;
        }
        let sure = matcher.rule(*index, 0);
        if sure == Sure::No {
            continue;
        }
        let rule = &rules.known[index];
        let own = rule.selector.any.iter().filter_map(|complex| complex.compounds.last());
        let own = own.map(|(_, compound)| compound.clone()).collect();
        let mut one = Match {
            rule: *index,
            selects: sure,
            holds: Holds::Yes,
            weight: rule.weight,
            layer: context.layer.clone(),
            names: context.names.clone(),
            across: Across {
                layer: context.layer.clone(),
                ..Across::default()
            },
            conditions: context.conditions.clone(),
            own,
        };
        one.judge(viewport);
        found.push(one);
    }
    found
}

struct Matcher<'a> {
    elements: &'a [Facts<'a>],
    rules: &'a HashMap<usize, Rule>,
    known: HashMap<(usize, usize), Sure>,
}

impl Matcher<'_> {
    /// Whether a rule holds for an element.
    fn rule(&mut self, rule: usize, element: usize) -> Sure {
        if let Some(known) = self.known.get(&(rule, element)) {
            return *known;
        }
        let rules = self.rules;
        let Some(Rule { selector, parent, .. }) = rules.get(&rule) else {
            return Sure::Maybe;
        };
        let sure = self.selector(selector, *parent, element);
        self.known.insert((rule, element), sure);
        sure
    }

    fn selector(&mut self, selector: &Selector, parent: Option<usize>, element: usize) -> Sure {
        let sures = selector
            .any
            .iter()
            .map(|complex| self.complex(complex, parent, element));
        sures.max().unwrap_or(Sure::No)
    }

    /// The element's own compound first, since most rules end there. Then from the left, for each compound: how sure it is
    /// that it and all before it match, with it at each of the elements around.
    fn complex(&mut self, complex: &Complex, parent: Option<usize>, element: usize) -> Sure {
        let Some(((relation, own), before)) = complex.compounds.split_last() else {
            return Sure::Maybe;
        };
        let own = self.compound(own, parent, element);
        if own == Sure::No {
            return Sure::No;
        }
        let count = self.elements.len();
        let mut left: Vec<Sure> = Vec::new();
        for (position, (relation, compound)) in before.iter().enumerate() {
            let mut next = Vec::with_capacity(count);
            for around in element + 1..count {
                let there = self.compound(compound, parent, around);
                let before = match relation {
                    Relation::First => Sure::Yes,
                    _ if position == 0 => Sure::Maybe,
                    _ => reached(*relation, &left[around - element..]),
                };
                next.push(there.min(before));
            }
            left = next;
        }
        match relation {
            Relation::First => own,
            _ if before.is_empty() => own.min(Sure::Maybe),
            _ => own.min(reached(*relation, &left)),
        }
    }

    fn compound(&mut self, compound: &Compound, parent: Option<usize>, element: usize) -> Sure {
        let sures = compound.iter().map(|simple| self.simple(simple, parent, element));
        sures.min().unwrap_or(Sure::Maybe)
    }

    fn simple(&mut self, simple: &Simple, parent: Option<usize>, element: usize) -> Sure {
        let elements = self.elements;
        let facts = &elements[element];
        let among = |classes: &[&str], name: &String| match classes.contains(&name.as_str()) {
            true => Sure::Yes,
            false if facts.classes_open || facts.tag.is_none() => Sure::Maybe,
            false => Sure::No,
        };
        match simple {
            Simple::Any => Sure::Yes,
            Simple::Tag(name) => match facts.tag {
                Some(tag) if tag.eq_ignore_ascii_case(name) => Sure::Yes,
                Some(_) => Sure::No,
                None => Sure::Maybe,
            },
            Simple::Class(name) => among(&facts.classes, name),
            Simple::Id(name) => facts.attribute("id", Some(&('=', name.clone()))),
            Simple::Attribute(name, _) if matches!(name.as_str(), "class" | "style") => Sure::Maybe,
            Simple::Attribute(name, value) => facts.attribute(name, value.as_ref()),
            Simple::Parent => match parent {
                Some(parent) => self.rule(parent, element),
                None => Sure::Maybe,
            },
            Simple::Is(selector, _) => self.selector(selector, parent, element),
            Simple::Not(selector) => self.selector(selector, parent, element).not(),
            Simple::Global(selector) => {
                let plain = Facts {
                    classes: facts.global.clone(),
                    ..facts.clone()
                };
                let elements = [plain];
                let mut matcher = Matcher {
                    elements: &elements,
                    rules: &HashMap::new(),
                    known: HashMap::new(),
                };
                matcher.selector(selector, None, 0)
            }
            Simple::Root | Simple::Box => match facts.tag {
                Some("html") => Sure::Maybe,
                _ => Sure::No,
            },
            Simple::State => Sure::State,
            Simple::Suffix(_) | Simple::Unknown => Sure::Maybe,
        }
    }
}

impl Facts<'_> {
    fn attribute(&self, name: &str, wanted: Option<&(char, String)>) -> Sure {
        let found = self.attributes.iter().find(|(own, _)| own.eq_ignore_ascii_case(name));
        let Some((_, value)) = found else {
            return if self.open || self.tag.is_none() {
                Sure::Maybe
            } else {
                Sure::No
            };
        };
        let Some((operator, wanted)) = wanted else {
            return Sure::Yes;
        };
        let Some(value) = value.or(Some("")) else {
            return Sure::Maybe;
        };
        let holds = match operator {
            '=' => value == wanted,
            '~' => value.split_ascii_whitespace().any(|word| word == wanted),
            '|' => {
                value == wanted
                    || value
                        .strip_prefix(wanted.as_str())
                        .is_some_and(|rest| rest.starts_with('-'))
            }
            '^' => !wanted.is_empty() && value.starts_with(wanted.as_str()),
            '$' => !wanted.is_empty() && value.ends_with(wanted.as_str()),
            '*' => !wanted.is_empty() && value.contains(wanted.as_str()),
            _ => return Sure::Maybe,
        };
        // Browsers compare some values without regard to case: only an exact match is certain.
        match holds {
            true => Sure::Yes,
            false if value.eq_ignore_ascii_case(wanted) => Sure::Maybe,
            false => Sure::No,
        }
    }
}

/// How sure it is that one of the elements around (nearest first) is the one that the relation wants.
fn reached(relation: Relation, around: &[Sure]) -> Sure {
    match relation {
        // Beyond the last element that is known there may be others.
        Relation::Child => around.first().copied().unwrap_or(Sure::Maybe),
        Relation::Descendant => around.iter().copied().max().unwrap_or(Sure::Maybe).max(Sure::Maybe),
        Relation::First | Relation::Beside => Sure::Maybe,
    }
}

#[cfg(test)]
mod tests {
    use super::super::scan::{Dialect, NodeKind};
    use super::*;

    /// The rules that hold for `<a class="card wide" id="x" href>` in `<ul class="list">` in `<nav>`, by their last declaration's
    /// value: `yes`, `state`, `maybe` or `no` in the text is what should come out.
    fn check(text: &str) {
        let sheet = Sheet::parse(text, Dialect::Scss).unwrap();
        let own = Facts {
            tag: Some("a"),
            attributes: vec![("id", Some("x")), ("href", None), ("type", Some("text"))],
            classes: vec!["card", "wide"],
            ..Facts::default()
        };
        let list = Facts {
            tag: Some("ul"),
            classes: vec!["list"],
            ..Facts::default()
        };
        let nav = Facts {
            tag: Some("nav"),
            classes_open: true,
            ..Facts::default()
        };
        let found = matches(&sheet, text, &[own, list, nav], &Viewport::wide(876.0));
        for (index, node) in sheet.nodes.iter().enumerate() {
            let NodeKind::Declaration { property, value, .. } = &node.kind else {
                continue;
            };
            if &text[property.clone()] != "is" {
                continue;
            }
            let rule = node.parent.unwrap();
            let sure = found
                .iter()
                .find(|found| found.rule == rule)
                .map_or(Sure::No, Match::sure);
            let wanted = match &text[value.clone()] {
                "yes" => Sure::Yes,
                "maybe" => Sure::Maybe,
                "state" => Sure::State,
                _ => Sure::No,
            };
            assert_eq!(sure, wanted, "{index}: {}", &text[sheet.nodes[rule].range.clone()]);
        }
    }

    #[test]
    fn only_what_is_known_is_certain() {
        for (selector, wanted) in [
            (".card", "yes"),
            ("a.card.wide#x[href]", "yes"),
            ("A", "yes"),
            ("*", "yes"),
            (".other", "no"),
            (".other, .card", "yes"),
            (".card:hover", "state"),
            (".card:not(:hover)", "state"),
            (".dark .card:hover", "maybe"),
            (".card::before", "no"),
            (".card:after", "no"),
            (":root", "no"),
            (".list .card", "yes"),
            ("ul > .card", "yes"),
            ("nav > ul > .card", "yes"),
            ("nav > .card", "no"),
            ("nav .card", "yes"),
            ("nav.dark .card", "maybe"),
            (".dark .card", "maybe"),
            (".list + .card", "maybe"),
            ("main ul > .card", "maybe"),
            ("ul ol > .card", "no"),
            (":not(.other)", "yes"),
            (":not(.card)", "no"),
            (":is(.x, .card)", "yes"),
            (":where(.card) ", "yes"),
            ("[type=text]", "yes"),
            ("[type^='te']", "yes"),
            ("[type=TEXT]", "maybe"),
            ("[title]", "no"),
            ("[class~=card]", "maybe"),
            ("#y", "no"),
            ("50%", "maybe"),
            (".card:first-child", "maybe"),
        ] {
            check(&format!("{selector} {{ is: {wanted} }}"));
        }
    }

    #[test]
    fn nesting_is_resolved() {
        check(".card { is: yes; &.wide { is: yes } &:hover { is: state } .x { is: no } & & { is: maybe } }");
        check(".list { is: no; .card { is: yes } > .card { is: yes } & > a { is: yes } + .card { is: maybe } }");
        check(".c { &ard { is: yes; &.wide { is: yes } &-x { is: no } } }");
        check(".x .c { &ard { is: maybe } }");
        check("nav { ul { a { is: yes } } ol { a { is: maybe } } } ");
        check("@layer a { .card { is: yes } } @media (hover) { .card { is: state } .x .card { is: maybe } }");
        check(".card { @media (hover) { & { is: state } } @include m { .x { is: no } } }");
        check("@keyframes a { from { is: no } } @mixin m { .card { is: no } }");
    }

    #[test]
    fn declarations_in_at_rules_nested_in_a_rule_hold_for_it() {
        check(".card { @media (max-width: 900px) { is: yes } @media (max-width: 800px) { is: no } }");
        check(".card { @media (max-width: 900px) { @media (min-width: 600px) { is: yes } &.wide { is: yes } } }");
        check(".card { @layer a { is: yes } @supports (a: b) { is: state } @container (width > 1px) { is: state } }");
        check(".card { @starting-style { is: no } @include phone { is: state } @media print { is: no } }");
        check(
            ".x { @media (max-width: 900px) { is: no } } .card { &:hover { @media (min-width: 1px) { is: state } } }",
        );
        check(".card, .x { @media (width >= 876px) { is: yes } } .dark .card { @media screen { is: maybe } }");
        check("@media (max-width: 900px) { .card { is: yes } } @media not all { .card { is: no } }");
        check("@keyframes a { from { @media screen { is: no } } } .card { @page { is: no } @font-face { is: no } }");
    }

    #[test]
    fn hostile_nesting_ends() {
        let started = std::time::Instant::now();
        for unit in ["& .a, & .b {", ".a { &-b, &-c ", ":is(a :is(b :is(c d) e) f) {"] {
            let text = format!(
                "{}{}",
                unit.repeat(20_000),
                "}".repeat(20_000 * unit.matches('{').count())
            );
            if let Ok(sheet) = Sheet::parse(&text, Dialect::Scss) {
                let facts = vec![
                    Facts {
                        tag: Some("a"),
                        classes_open: true,
                        ..Facts::default()
                    };
                    40
                ];
                let _ = matches(&sheet, &text, &facts, &Viewport::default());
            }
        }
        assert!(started.elapsed().as_secs() < 60, "{:?}", started.elapsed());
    }
}

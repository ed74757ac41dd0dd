//! Which rules of a stylesheet hold for an element, and how certain that is.

use std::collections::HashMap;

use super::scan::{Kind, Sheet};
use super::selector::{Complex, Compound, Relation, Selector, Simple, Weight};

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
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Match {
    /// Its index in the sheet.
    pub rule: usize,
    /// Never [`Sure::No`].
    pub sure: Sure,
    /// The greatest weight of the selectors that match.
    pub weight: Weight,
    /// The `@layer` around it: the number of its first mention in this sheet.
    pub layer: Option<usize>,
    /// The at-rules around it that are conditions, as `@media (min-width: 1px)`.
    pub conditions: Vec<String>,
    /// What each of the selectors says about the element itself.
    pub own: Vec<Compound>,
}

/// Rules nested deeper are not matched, ancestors further away not asked.
const DEEP: usize = 16;

/// What is known of a rule before any element is looked at.
struct Rule {
    selector: Selector,
    /// The rule around it.
    parent: Option<usize>,
    weight: Weight,
    /// What `&` stands for, when it is one compound.
    tail: Option<Compound>,
    deep: usize,
}

/// All rules that hold for the first of `elements`, or might; the others are the elements around it, nearest first. In
/// the order of the sheet.
#[must_use]
pub fn matches(sheet: &Sheet, text: &str, elements: &[Facts<'_>]) -> Vec<Match> {
    let mut matcher = Matcher {
        elements: &elements[..elements.len().min(DEEP)],
        rules: HashMap::new(),
        known: HashMap::new(),
    };
    let mut around = Around::default();
    let mut found = Vec::new();
    for (index, node) in sheet.nodes.iter().enumerate() {
        around.enter(sheet, text, index);
        let Kind::Rule { selector, .. } = &node.kind else {
            continue;
        };
        let context = around.context(sheet, index);
        if context.inert {
            continue;
        }
        matcher.add(index, &text[selector.clone()], context.rule);
        let sure = matcher.rule(index, 0);
        if sure == Sure::No {
            continue;
        }
        let rule = &matcher.rules[&index];
        let conditions = context.conditions;
        let sure = if conditions.is_empty() {
            sure
        } else {
            sure.min(Sure::State)
        };
        let own = rule.selector.any.iter().filter_map(|complex| complex.compounds.last());
        let own = own.map(|(_, compound)| compound.clone()).collect();
        found.push(Match {
            rule: index,
            sure,
            weight: rule.weight,
            layer: context.layer,
            conditions,
            own,
        });
    }
    found
}

/// What stands around the nodes of a sheet.
#[derive(Default)]
struct Around {
    /// By node: what its children stand in.
    inside: HashMap<usize, Context>,
    /// Layers in the order of their first mention.
    layers: Vec<String>,
}

#[derive(Clone, Default)]
struct Context {
    /// The nearest rule.
    rule: Option<usize>,
    conditions: Vec<String>,
    layer: Option<usize>,
    /// The content is no rule for elements: keyframes, mixins, functions.
    inert: bool,
}

impl Around {
    fn context(&self, sheet: &Sheet, index: usize) -> Context {
        let parent = sheet.nodes[index].parent;
        parent
            .and_then(|parent| self.inside.get(&parent))
            .cloned()
            .unwrap_or_default()
    }

    /// Notes what a node means for those inside.
    fn enter(&mut self, sheet: &Sheet, text: &str, index: usize) {
        let mut context = self.context(sheet, index);
        match &sheet.nodes[index].kind {
            Kind::Rule { .. } => context.rule = Some(index),
            Kind::At { name, prelude, block } => {
                let (name, prelude) = (&text[name.clone()], &text[prelude.clone()]);
                if name == "layer" {
                    for layer in prelude.split(',') {
                        context.layer = Some(self.layer(layer.trim()));
                    }
                }
                if block.is_none() {
                    return;
                }
                match name {
                    "layer" | "nest" => {}
                    "media" | "supports" | "container" | "scope" | "starting-style" | "variant" | "include" | "if"
                    | "else" | "at-root" | "screen" | "responsive" | "variants" | "document" | "when" => {
                        let condition = format!("@{name} {prelude}");
                        // Deep nesting of conditions is no more certain than one of them.
                        if context.conditions.len() < DEEP {
                            context
                                .conditions
                                .push(condition.trim_end().chars().take(200).collect());
                        }
                    }
                    _ => context.inert = true,
                }
            }
            Kind::Other { block: Some(_) } => context.inert = true,
            _ => return,
        }
        self.inside.insert(index, context);
    }

    fn layer(&mut self, name: &str) -> usize {
        let known = self.layers.iter().position(|layer| layer == name);
        known.unwrap_or_else(|| {
            // More layers than anybody writes share the last number: their order is not told apart.
            if self.layers.len() < 256 {
                self.layers.push(name.to_owned());
            }
            self.layers.len() - 1
        })
    }
}

struct Matcher<'a> {
    elements: &'a [Facts<'a>],
    rules: HashMap<usize, Rule>,
    known: HashMap<(usize, usize), Sure>,
}

impl Matcher<'_> {
    fn add(&mut self, index: usize, text: &str, parent: Option<usize>) {
        let above = parent.and_then(|parent| self.rules.get(&parent));
        let deep = above.map_or(0, |rule| rule.deep + 1);
        let mut selector = if deep > DEEP {
            Selector::parse("")
        } else {
            Selector::parse(text)
        };
        let tail = above.and_then(|rule| rule.tail.as_ref());
        for complex in &mut selector.any {
            let names_parent = Selector::names_parent(complex);
            for (_, compound) in &mut complex.compounds {
                expand(compound, tail);
            }
            if parent.is_some() && !names_parent {
                relate_to_parent(complex);
            }
        }
        let weight = selector.weight(above.map_or((0, 0, 0), |rule| rule.weight));
        let tail = match selector.any.as_slice() {
            [complex] => match complex.compounds.as_slice() {
                [(Relation::First, compound)] if !compound.contains(&Simple::Parent) => Some(compound.clone()),
                _ => None,
            },
            _ => None,
        };
        self.rules.insert(
            index,
            Rule {
                selector,
                parent,
                weight,
                tail,
                deep,
            },
        );
    }

    /// Whether a rule holds for an element.
    fn rule(&mut self, rule: usize, element: usize) -> Sure {
        if let Some(known) = self.known.get(&(rule, element)) {
            return *known;
        }
        let Some(Rule { selector, parent, .. }) = self.rules.get(&rule) else {
            return Sure::Maybe;
        };
        let (selector, parent) = (selector.clone(), *parent);
        let sure = self.selector(&selector, parent, element);
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
                    rules: HashMap::new(),
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

/// Writes what `&` and `&-wide` stand for in their place.
fn expand(compound: &mut Compound, tail: Option<&Compound>) {
    let Some(tail) = tail else { return };
    let expanded = match compound.first() {
        Some(Simple::Parent) => tail.clone(),
        Some(Simple::Suffix(suffix)) => {
            let mut expanded = tail.clone();
            match expanded.last_mut() {
                Some(Simple::Class(name) | Simple::Id(name)) if name.len() + suffix.len() <= 256 => {
                    name.push_str(suffix)
                }
                _ => return,
            }
            expanded
        }
        _ => return,
    };
    if expanded.len() + compound.len() <= DEEP {
        compound.splice(..1, expanded);
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

/// `.title` within a rule means `& .title`, `> .title` means `& > .title`.
fn relate_to_parent(complex: &mut Complex) {
    if let Some((relation @ Relation::First, _)) = complex.compounds.first_mut() {
        *relation = Relation::Descendant;
    }
    complex.compounds.insert(0, (Relation::First, vec![Simple::Parent]));
}

#[cfg(test)]
mod tests {
    use super::super::scan::Dialect;
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
        let found = matches(&sheet, text, &[own, list, nav]);
        for (index, node) in sheet.nodes.iter().enumerate() {
            let Kind::Declaration { property, value, .. } = &node.kind else {
                continue;
            };
            if &text[property.clone()] != "is" {
                continue;
            }
            let rule = node.parent.unwrap();
            let sure = found
                .iter()
                .find(|found| found.rule == rule)
                .map_or(Sure::No, |found| found.sure);
            let wanted = match &text[value.clone()] {
                "yes" => Sure::Yes,
                "maybe" => Sure::Maybe,
                "state" => Sure::State,
                _ => Sure::No,
            };
            let Kind::Rule { selector, .. } = &sheet.nodes[rule].kind else {
                panic!("{index}")
            };
            assert_eq!(sure, wanted, "{}", &text[selector.clone()]);
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
        check("@layer a { .card { is: yes } } @media print { .card { is: state } .x .card { is: maybe } }");
        check(".card { @media print { & { is: state } } @include m { .x { is: no } } }");
        check("@keyframes a { from { is: no } } @mixin m { .card { is: no } }");
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
                let _ = matches(&sheet, &text, &facts);
            }
        }
        assert!(started.elapsed().as_secs() < 60, "{:?}", started.elapsed());
    }
}

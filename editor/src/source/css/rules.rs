//! The rules of a stylesheet with their selectors: what is known of them before any element is looked at. Made once for each
//! text of a sheet, since every element asks.

use std::collections::HashMap;
use std::sync::Arc;

use super::condition::Condition;
use super::load::Loads;
use super::scan::{Node, NodeKind, Sheet};
use super::selector::{Complex, Compound, Relation, Selector, Simple, Weight};

/// Rules nested deeper are not matched, ancestors further away not asked.
pub(super) const MAX_DEPTH: usize = 16;

/// All rules for elements, in the order of the sheet, with what stands around each.
#[derive(Debug, Default)]
pub(super) struct Rules {
    /// By their index in the sheet.
    pub known: HashMap<usize, Rule>,
    pub order: Vec<Ordered>,
    /// What the sheet says of the loading of others.
    pub loads: Arc<Loads>,
}

impl Rules {
    /// The rules of `sheet`, whose text this is.
    pub fn of(sheet: &Sheet, text: &str) -> Self {
        let mut rules = Self::default();
        let mut around = Around::default();
        for (index, node) in sheet.nodes.iter().enumerate() {
            around.enter(sheet, text, index);
            let context = match &node.kind {
                NodeKind::Rule { selector, .. } => {
                    let context = around.context(sheet, index);
                    if context.inert {
                        continue;
                    }
                    rules.add(index, &text[selector.clone()], context.rule);
                    context
                }
                NodeKind::At {
                    name, block: Some(_), ..
                } if !selects(&text[name.clone()]) => match around.inside.get(&index) {
                    Some(inside) if !inside.inert && rules.add_nested(sheet, index, inside.rule) => inside.clone(),
                    _ => continue,
                },
                _ => continue,
            };
            let needs = rules.known.get(&index).map(|rule| rule.needs()).unwrap_or_default();
            rules.order.push(Ordered { index, context, needs });
        }
        rules.loads = Arc::new(Loads::of(sheet, text, around.named()));
        rules
    }

    /// An at-rule nested in a rule, as `@media` in `h1 { … }`: its own declarations hold for what the rule holds for.
    fn add_nested(&mut self, sheet: &Sheet, index: usize, rule: Option<usize>) -> bool {
        let declares = |(_, node): (usize, &Node)| matches!(node.kind, NodeKind::Declaration { .. });
        let Some(around) = rule.and_then(|rule| self.known.get(&rule)) else {
            return false;
        };
        let nested = around.clone();
        let declares = sheet.children(Some(index)).any(declares);
        if declares {
            self.known.insert(index, nested);
        }
        declares
    }

    fn add(&mut self, index: usize, text: &str, parent: Option<usize>) {
        let above = parent.and_then(|parent| self.known.get(&parent));
        let deep = above.map_or(0, |rule| rule.deep + 1);
        let mut selector = if deep > MAX_DEPTH {
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
        self.known.insert(
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
}

/// A rule at its place in the sheet.
#[derive(Debug)]
pub(super) struct Ordered {
    /// Its index in the sheet.
    pub index: usize,
    pub context: Context,
    /// An element that has none of these is none the rule holds for: a class, an id or a tag of each selector. Empty when that
    /// tells nothing. Most elements are none of most rules, which is then told without looking at the rule.
    pub needs: Vec<Simple>,
}

/// Whether an at-rule says by itself which elements its declarations hold for.
fn selects(name: &str) -> bool {
    matches!(name, "nest" | "at-root" | "scope")
}

/// What is known of a rule before any element is looked at.
#[derive(Debug, Clone)]
pub(super) struct Rule {
    pub selector: Selector,
    /// The rule around it.
    pub parent: Option<usize>,
    pub weight: Weight,
    /// What `&` stands for, when it is one compound.
    tail: Option<Compound>,
    deep: usize,
}

impl Rule {
    fn needs(&self) -> Vec<Simple> {
        let is_name = |simple: &&Simple| matches!(simple, Simple::Class(_) | Simple::Id(_) | Simple::Tag(_));
        let need = |complex: &Complex| {
            let (_, own) = complex.compounds.last()?;
            own.iter().find(is_name).cloned()
        };
        let needs: Option<Vec<Simple>> = self.selector.any.iter().map(need).collect();
        needs.unwrap_or_default()
    }
}

/// Where a layer stands among the others: the number of each layer from the outermost on, by its first mention in the sheet.
pub type Layer = Vec<usize>;

/// What stands around the nodes of a sheet.
#[derive(Default)]
struct Around {
    /// By node: what its children stand in.
    inside: HashMap<usize, Context>,
    /// Layers in the order of their first mention, each by its names from the outermost on, with the node that mentions it.
    layers: Vec<(usize, Vec<String>)>,
}

#[derive(Debug, Clone, Default)]
pub(super) struct Context {
    /// The nearest rule.
    rule: Option<usize>,
    pub conditions: Vec<Condition>,
    /// Where its layer stands; empty outside of layers.
    pub layer: Layer,
    /// The names of that layer, from the outermost on; one without a name has `#` and its node.
    pub names: Vec<String>,
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
            NodeKind::Rule { .. } => context.rule = Some(index),
            NodeKind::At { name, prelude, block } => {
                let (name, prelude) = (&text[name.clone()], &text[prelude.clone()]);
                if name == "layer" {
                    let mut names = context.names.clone();
                    for layer in prelude.split(',') {
                        names.truncate(context.names.len());
                        match layer.trim() {
                            // Each layer without a name is another one.
                            "" => names.push(format!("#{index}")),
                            layer => names.extend(layer.split('.').take(MAX_DEPTH).map(|name| name.trim().to_owned())),
                        }
                        context.layer = self.layer(index, &names);
                    }
                    context.names = names;
                }
                if block.is_none() {
                    return;
                }
                match name {
                    "layer" | "nest" => {}
                    "media" | "supports" | "container" | "scope" | "starting-style" | "variant" | "include" | "if"
                    | "else" | "at-root" | "screen" | "responsive" | "variants" | "document" | "when" => {
                        context.conditions.push(Condition::read(name, prelude));
                        // Of what is nested deeper nothing is said.
                        if context.conditions.len() > MAX_DEPTH {
                            context.conditions = vec![Condition::read("when", "…")];
                        }
                    }
                    _ => context.inert = true,
                }
            }
            NodeKind::Other { block: Some(_) } => context.inert = true,
            _ => return,
        }
        self.inside.insert(index, context);
    }

    /// The layers with names of their own.
    fn named(self) -> Vec<(usize, Vec<String>)> {
        let mut layers = self.layers;
        layers.retain(|(_, names)| !names.iter().any(|name| name.starts_with('#')));
        layers
    }

    fn layer(&mut self, node: usize, names: &[String]) -> Layer {
        let names = &names[..names.len().min(MAX_DEPTH)];
        let mut path = Layer::new();
        for depth in 1..=names.len() {
            let known = self.layers.iter().position(|(_, layer)| layer == &names[..depth]);
            path.push(known.unwrap_or_else(|| {
                // More layers than anybody writes share the last number: their order is not told apart.
                if self.layers.len() < 256 {
                    self.layers.push((node, names[..depth].to_vec()));
                }
                self.layers.len() - 1
            }));
        }
        path
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
    if expanded.len() + compound.len() <= MAX_DEPTH {
        compound.splice(..1, expanded);
    }
}

/// `.title` within a rule means `& .title`, `> .title` means `& > .title`.
fn relate_to_parent(complex: &mut Complex) {
    if let Some((relation @ Relation::First, _)) = complex.compounds.first_mut() {
        *relation = Relation::Descendant;
    }
    complex.compounds.insert(0, (Relation::First, vec![Simple::Parent]));
}

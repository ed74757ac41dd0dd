//! Properties: of objects and lists, of files, and of components (where they are used).

use super::evaluate::{Resolver, computed};
use super::value::{At, Candidate, Decision, ElementAt, FunctionAt, Provenance, Reason, Value, and};
use crate::source::model::Code;
use crate::source::model::Stamp;
use crate::source::model::plan::short;
use crate::source::module::{Origin, Shape, SymbolId};

impl Resolver<'_> {
    /// The property `key` of each value.
    pub(super) fn members(&self, candidates: Vec<Candidate>, key: &str) -> Vec<Candidate> {
        let member = |candidate: Candidate| {
            let found = self.deeper(|| Some(self.member(&candidate.value, key, &candidate.provenance)));
            found.unwrap_or_else(|| {
                let reason = format!("The way to “{key}” is too long or goes in a circle; change it in the code");
                Candidate::unknown(&candidate.provenance, Code::TooDeep, reason)
            })
        };
        candidates.into_iter().flat_map(member).collect()
    }

    fn member(&self, value: &Value, key: &str, provenance: &Provenance) -> Vec<Candidate> {
        match value {
            Value::Nothing => vec![Candidate::new(provenance, Value::Nothing)],
            Value::Unknown(why) => vec![Candidate::new(provenance, Value::Unknown(why.clone()))],
            Value::Node(at) => self.node_member(at, key, provenance),
            Value::Props(component) => self.prop(component, key, provenance),
            Value::Rest(_, without) if without.iter().any(|name| name == key) => {
                vec![Candidate::new(provenance, Value::Nothing)]
            }
            Value::Rest(value, _) => self.member(value, key, provenance),
            Value::Entry(value, name) => match key {
                "1" => self.follow(value, provenance),
                _ => Candidate::unknown(
                    provenance,
                    Code::ObjectKey,
                    format!(
                        "“{name}” is the name of a property at {}: code uses it, so it can only be renamed in the code",
                        value.place()
                    ),
                ),
            },
            Value::Namespace(module) => self.export(module, key, provenance),
            Value::Function(function) => self.static_member(function, key, provenance),
            Value::Handed(usage, slot) => self.handed(usage, slot, key, provenance),
            Value::Content(_) => Candidate::unknown(
                provenance,
                Code::Computed,
                format!("“.{key}” of a text is made while the prototype runs; change it in the code"),
            ),
        }
    }

    /// What a spread value has by this name; `None` when it has nothing there.
    fn spread_member(&self, value: &At, key: &str, provenance: &Provenance) -> Option<Vec<Candidate>> {
        let candidates = self.members(self.follow(value, provenance), key);
        let has_some = candidates
            .iter()
            .any(|candidate| !matches!(candidate.value, Value::Nothing));
        has_some.then_some(candidates)
    }

    fn node_member(&self, at: &At, key: &str, provenance: &Provenance) -> Vec<Candidate> {
        match &at.node().shape {
            Shape::Object(properties) => {
                // The last one wins; a spread before it may still have it.
                for property in properties.iter().rev() {
                    let value = at.with(property.value);
                    if property.spread {
                        if let Some(candidates) = self.spread_member(&value, key, provenance) {
                            return candidates;
                        }
                    } else if property.key.as_deref() == Some(key) {
                        return self.follow(&value, provenance);
                    } else if property.key.is_none() {
                        let reason = format!(
                            "The object at {} has names that are only known when the code runs; change its texts in the code",
                            at.place()
                        );
                        return Candidate::unknown(provenance, Code::Computed, reason);
                    }
                }
                vec![Candidate::new(provenance, Value::Nothing)]
            }
            Shape::List(items) => {
                let index = key.parse::<usize>().ok();
                match index.and_then(|index| Some((index, items.get(index)?))) {
                    Some((index, item)) if !items[..=index].iter().any(|item| item.spread) => {
                        self.follow(&at.with(item.value), provenance)
                    }
                    Some(_) => {
                        Candidate::unknown(provenance, Code::Computed, computed(at, "a list that is put together"))
                    }
                    None if index.is_some() => vec![Candidate::new(provenance, Value::Nothing)],
                    None => Candidate::unknown(provenance, Code::Computed, computed(at, "something about a list")),
                }
            }
            Shape::Call(callee, arguments) => self.call_member(at, *callee, arguments, key, provenance),
            _ => Candidate::unknown(provenance, Code::Computed, computed(at, "something about a text")),
        }
    }

    /// `Card.Title`.
    fn static_member(&self, function: &FunctionAt, key: &str, provenance: &Provenance) -> Vec<Candidate> {
        let module = &function.module;
        let is_it = |symbol: SymbolId| match &module[symbol].origin {
            Origin::Function(id) => *id == function.id,
            Origin::Value(path) if path.takes.is_empty() => {
                let of = At {
                    module: module.clone(),
                    id: path.of,
                };
                self.component(&of).as_ref() == Some(function)
            }
            _ => false,
        };
        let mut statics = module.statics.iter().filter(|(_, name, _)| name == key);
        match statics.find(|(symbol, ..)| is_it(*symbol)) {
            Some((.., id)) => {
                let at = At {
                    module: module.clone(),
                    id: *id,
                };
                self.follow(&at, provenance)
            }
            None => Candidate::unknown(
                provenance,
                Code::Computed,
                format!("“.{key}” of a function stands nowhere as a text; change it in the code"),
            ),
        }
    }

    /// Any property of an object, where the code decides which.
    pub(super) fn any_member(&self, candidate: &Candidate) -> Vec<Candidate> {
        let at = match &candidate.value {
            Value::Node(at) => at,
            Value::Unknown(_) | Value::Nothing => return vec![candidate.clone()],
            _ => {
                return Candidate::unknown(
                    &candidate.provenance,
                    Code::Computed,
                    "Which property is shown is only known when the code runs; change it in the code",
                );
            }
        };
        let values: Vec<(String, _)> = match &at.node().shape {
            Shape::Object(properties) if properties.iter().all(|property| !property.spread) => {
                let named = properties.iter().map(|property| (property.key.clone(), property.value));
                named.map(|(key, value)| (key.unwrap_or_default(), value)).collect()
            }
            Shape::List(items) if items.iter().all(|item| !item.spread) => {
                let numbered = items.iter().enumerate();
                numbered.map(|(index, item)| (index.to_string(), item.value)).collect()
            }
            _ => {
                return Candidate::unknown(
                    &candidate.provenance,
                    Code::Computed,
                    computed(at, "a choice between properties"),
                );
            }
        };
        let decided = candidate.provenance.iter().find_map(|decision| match decision {
            Decision::Property(of, key) if of == at => Some(key.clone()),
            _ => None,
        });
        let wanted = values
            .into_iter()
            .filter(|(key, _)| decided.as_ref().is_none_or(|decided| decided == key));
        let follow = |(key, value)| {
            let provenance = and(&candidate.provenance, Decision::Property(at.clone(), key));
            self.follow(&at.with(value), &provenance)
        };
        wanted.flat_map(follow).collect()
    }

    /// What a component is given by the name `key`, wherever it is used.
    fn prop(&self, component: &FunctionAt, key: &str, provenance: &Provenance) -> Vec<Candidate> {
        let decided = provenance.iter().find_map(|decision| match decision {
            Decision::Usage(of, element, _) if of == component => Some(element.clone()),
            _ => None,
        });
        if let Some(element) = decided {
            let candidates = self.attribute(&element, key, provenance);
            return self.or_default(component, key, candidates);
        }
        let usages = self.uses().of(component);
        if usages.is_empty() {
            let unknown = Candidate::unknown(provenance, Code::NoUsage, no_usage(component, key));
            return self.or_default(component, key, unknown);
        }
        let mut candidates = Vec::new();
        for (element, stamp) in usages {
            let provenance = and(
                provenance,
                Decision::Usage(component.clone(), element.clone(), stamp.clone()),
            );
            candidates.extend(self.attribute(element, key, &provenance));
        }
        self.or_default(component, key, candidates)
    }

    /// What Vue shows for a prop that is not given: its default, or what a function makes of it.
    fn or_default(&self, component: &FunctionAt, key: &str, candidates: Vec<Candidate>) -> Vec<Candidate> {
        let module = &component.module;
        let default = module.defaults.iter().find(|(name, _)| name == key);
        let Some((_, default)) = default.filter(|_| module.component() == Some(component.id)) else {
            return candidates;
        };
        let default = At {
            module: module.clone(),
            id: *default,
        };
        let mut filled = Vec::new();
        for candidate in candidates {
            if matches!(candidate.value, Value::Nothing | Value::Unknown(_)) {
                let made = self.follow(&default, &candidate.provenance);
                filled.extend(self.results(made, &default));
            }
            if !matches!(candidate.value, Value::Nothing) {
                filled.push(candidate);
            }
        }
        filled
    }

    /// The value of an attribute; the last one that gives it wins.
    pub(super) fn attribute(&self, element: &ElementAt, key: &str, provenance: &Provenance) -> Vec<Candidate> {
        let module = &element.module;
        let written = &module[element.id];
        if let Some(slot) = key.strip_prefix('#') {
            return self.given(element, slot, provenance);
        }
        let is_vue = module.component().is_some();
        if key == "children" && !is_vue && !written.is_empty() {
            return vec![Candidate::new(provenance, Value::Content(element.clone()))];
        }
        for attribute in written.attributes.iter().rev() {
            let value = attribute.value().map(|id| At {
                module: module.clone(),
                id,
            });
            if attribute.name.is_empty() {
                let Some(value) = value else { continue };
                if let Some(candidates) = self.spread_member(&value, key, provenance) {
                    return candidates;
                }
            } else if !attribute.name.starts_with('#') && same_name(&attribute.name, key) {
                return match value {
                    Some(value) => self.follow(&value, provenance),
                    None => vec![Candidate::new(provenance, Value::Nothing)],
                };
            }
        }
        vec![Candidate::new(provenance, Value::Nothing)]
    }

    /// The stamp of an element.
    pub(super) fn stamp(element: &ElementAt) -> Stamp {
        let module = &element.module;
        let at = module.position(module[element.id].range.start);
        Stamp {
            path: module.path.clone(),
            at,
        }
    }

    /// Why a value shows no text that could be changed.
    pub(super) fn why(&self, value: &Value) -> Reason {
        match value {
            Value::Unknown(why) => why.clone(),
            Value::Node(at) => match &at.node().shape {
                Shape::Call(callee, _) => self.call_why(at, &at.with(*callee)),
                _ => Reason::new(Code::Computed, computed(at, "an object or a list")),
            },
            Value::Function(function) => {
                let place = function.module.place(function.module[function.id].range.start);
                Reason::new(
                    Code::Computed,
                    format!("It is made by the function at {place}; change it in the code there"),
                )
            }
            Value::Entry(at, name) => Reason::new(
                Code::ObjectKey,
                format!(
                    "“{name}” is the name of a property at {}: code uses it, so it can only be renamed in the code",
                    at.place()
                ),
            ),
            Value::Props(component) => Reason::new(Code::Computed, no_usage(component, "")),
            Value::Handed(usage, _) => Self::handed_why(usage),
            _ => Reason::new(
                Code::Computed,
                "It stands nowhere as a text that could be changed; change it in the code",
            ),
        }
    }
}

fn no_usage(component: &FunctionAt, key: &str) -> String {
    let function = &component.module[component.id];
    let name = function.name.as_deref().unwrap_or("this component");
    let place = component.module.place(function.range.start);
    let what = match key.strip_prefix('#') {
        Some("default") => "what stands between its tags".to_owned(),
        Some(slot) => format!("its slot “{}”", short(slot)),
        None if key.is_empty() => "“its text”".to_owned(),
        None => format!("“{}”", short(key)),
    };
    format!(
        "The text is handed to {name} ({place}) as {what}, and the project has no place that uses {name} in its markup: a \
         framework or a library hands it over, and it can only be changed in the code"
    )
}

/// Vue's templates may write `my-title` for `myTitle`.
fn same_name(written: &str, wanted: &str) -> bool {
    if written == wanted {
        return true;
    }
    if !written.contains('-') || written.starts_with("aria-") || written.starts_with("data-") {
        return false;
    }
    let mut camel = String::with_capacity(written.len());
    let mut upper = false;
    for character in written.chars() {
        match character {
            '-' => upper = true,
            _ if upper => {
                camel.extend(character.to_uppercase());
                upper = false;
            }
            _ => camel.push(character),
        }
    }
    camel == wanted
}

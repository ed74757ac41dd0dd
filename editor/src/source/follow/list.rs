//! Lists: what a function that is called for each item gets.

use super::evaluate::{Resolver, computed};
use super::value::{At, Candidate, Decision, FunctionAt, Provenance, Value, and};
use crate::source::model::Code;
use crate::source::module::{FunctionId, Key, Module, Shape};

/// Calls whose function is a component.
pub(super) const WRAPPERS: [&str; 8] = [
    "memo",
    "forwardRef",
    "observer",
    "defineComponent",
    "withTranslation",
    "connect",
    "styled",
    "React.memo",
];

/// An item of a list, and whether the page shows it at that place of the list.
#[derive(Debug, Clone)]
pub(super) struct ListItem {
    value: EntryValue,
    exact: bool,
    /// The way to it.
    provenance: Provenance,
}

#[derive(Debug, Clone)]
enum EntryValue {
    Node(At),
    Value(Value),
}

impl Resolver<'_> {
    /// What a function gets as its parameter `index`.
    pub(super) fn parameter(
        &self,
        function: &FunctionAt,
        index: usize,
        name: &str,
        provenance: &Provenance,
    ) -> Vec<Candidate> {
        if let Some(list) = self.list_of(function) {
            if index == 0 {
                return self.items(function, &list, provenance);
            }
            let reason = format!(
                "“{name}” is the item's place in its list, which is counted while the prototype runs: move the item in the list instead"
            );
            return Candidate::unknown(provenance, Code::ListPosition, reason);
        }
        let called = provenance.iter().rev().find_map(|decision| match decision {
            Decision::Call(of, call) if of == function => Some(call.clone()),
            _ => None,
        });
        if let Some(call) = called {
            let Shape::Call(_, arguments) = &call.node().shape else {
                return Vec::new();
            };
            return match arguments.get(index) {
                Some(argument) => self.follow(&call.with(*argument), provenance),
                None => vec![Candidate::new(provenance, Value::Nothing)],
            };
        }
        if index == 0
            && let Some(candidates) = self.handed_to(function, name, provenance)
        {
            return candidates;
        }
        if index == 0 && self.may_be_component(function) {
            return vec![Candidate::new(provenance, Value::Props(function.clone()))];
        }
        let place = function.module.place(function.module[function.id].range.start);
        let reason = format!(
            "“{name}” is handed to the function at {place} while the prototype runs; change it in the code that calls the function"
        );
        Candidate::unknown(provenance, Code::Parameter, reason)
    }

    /// Whether a function can be used as an element.
    pub(super) fn may_be_component(&self, function: &FunctionAt) -> bool {
        let written = &function.module[function.id];
        if Self::is_slot(&function.module, function.id) {
            return false;
        }
        if let Some((callee, 0)) = written.argument_of {
            let name = self.callee_name(&At {
                module: function.module.clone(),
                id: callee,
            });
            return WRAPPERS.contains(&name.rsplit('.').next().unwrap_or(&name));
        }
        let named = written.name.as_deref();
        written.argument_of.is_none() && named.is_none_or(|name| name.starts_with(|first: char| !first.is_lowercase()))
    }

    /// The list a function is called for each item of: `list.map(function)`, `Array.from(list, function)`, or `v-for`.
    pub(super) fn list_of(&self, function: &FunctionAt) -> Option<At> {
        let at = |id| At {
            module: function.module.clone(),
            id,
        };
        let written = &function.module[function.id];
        if let Some(list) = written.repeats {
            return Some(at(list));
        }
        let (callee, argument) = written.argument_of?;
        let Shape::Member(object, Key::Named(method)) = &function.module[callee].shape else {
            return None;
        };
        match (method.as_str(), argument) {
            ("map" | "flatMap" | "forEach" | "filter" | "find" | "findLast" | "some" | "every" | "sort", 0) => {
                Some(at(*object))
            }
            _ => None,
        }
    }

    /// The functions of lists around an element or expression, the outermost first.
    pub(super) fn lists_around(&self, module: &std::sync::Arc<Module>, inner: Option<FunctionId>) -> Vec<FunctionAt> {
        let mut lists = Vec::new();
        let mut function = inner;
        while let Some(id) = function {
            let at = FunctionAt {
                module: module.clone(),
                id,
            };
            function = module[id].outer;
            if self.list_of(&at).is_some() {
                lists.push(at);
            }
        }
        lists.reverse();
        lists
    }

    /// The items of a list, each with the decision for it.
    pub(super) fn items(&self, function: &FunctionAt, list: &At, provenance: &Provenance) -> Vec<Candidate> {
        let decided = provenance.iter().find_map(|decision| match decision {
            Decision::Item { of, index, .. } if of == function => Some(*index),
            _ => None,
        });
        let mut candidates = Vec::new();
        for candidate in self.follow(list, provenance) {
            let entries = match self.entries(&candidate) {
                Ok(entries) => entries,
                Err(unknown) => {
                    candidates.extend(unknown);
                    continue;
                }
            };
            for (index, entry) in entries.into_iter().enumerate() {
                if decided.is_some_and(|decided| decided != index) {
                    continue;
                }
                let exact = entry.exact;
                let of = function.clone();
                let provenance = match decided {
                    Some(_) => entry.provenance,
                    None => and(&entry.provenance, Decision::Item { of, index, exact }),
                };
                match entry.value {
                    EntryValue::Node(at) => candidates.extend(self.follow(&at, &provenance)),
                    EntryValue::Value(value) => candidates.push(Candidate { provenance, value }),
                }
            }
        }
        candidates
    }

    pub(super) fn entries(&self, candidate: &Candidate) -> Result<Vec<ListItem>, Vec<Candidate>> {
        self.deeper(|| Some(self.entries_of(candidate))).unwrap_or_else(|| {
            let reason = "The way to the list's items is too long or goes in a circle; change them in the code";
            Err(Candidate::unknown(&candidate.provenance, Code::TooDeep, reason))
        })
    }

    fn entries_of(&self, candidate: &Candidate) -> Result<Vec<ListItem>, Vec<Candidate>> {
        let at = match &candidate.value {
            Value::Node(at) => at,
            Value::Nothing => return Ok(Vec::new()),
            other => {
                return Err(vec![Candidate::new(
                    &candidate.provenance,
                    Value::Unknown(self.why(other)),
                )]);
            }
        };
        match &at.node().shape {
            Shape::List(items) => {
                let mut entries = Vec::new();
                for item in items {
                    let value = at.with(item.value);
                    if item.spread {
                        entries.extend(self.all_entries(&value, true, &candidate.provenance)?);
                    } else {
                        entries.push(ListItem {
                            value: EntryValue::Node(value),
                            exact: true,
                            provenance: candidate.provenance.clone(),
                        });
                    }
                    if entries.len() > super::evaluate::MAX_WAYS {
                        let reason = format!(
                            "The list at {} is too long to tell its items apart; change the item in the code",
                            at.place()
                        );
                        return Err(Candidate::unknown(&candidate.provenance, Code::TooMany, reason));
                    }
                }
                // Whether something stands among them moves all of them.
                let exact = entries.iter().all(|entry| entry.exact);
                entries.iter_mut().for_each(|entry| entry.exact = exact);
                Ok(entries)
            }
            Shape::Call(callee, arguments) => self.call_entries(at, *callee, arguments, &candidate.provenance),
            Shape::Object(_) => Ok(self.pairs(candidate, false)),
            _ => Err(Candidate::unknown(
                &candidate.provenance,
                Code::Computed,
                computed(at, "no list that is written out"),
            )),
        }
    }

    /// The items of a list, whichever it is; they are not at their exact place when that depends on something.
    fn all_entries(&self, list: &At, exact: bool, provenance: &Provenance) -> Result<Vec<ListItem>, Vec<Candidate>> {
        let candidates = self.follow(list, provenance);
        let exact = exact && !depends(&candidates, provenance);
        let mut entries = Vec::new();
        for candidate in &candidates {
            entries.extend(self.entries(candidate)?);
        }
        for entry in &mut entries {
            entry.exact &= exact;
        }
        Ok(entries)
    }

    /// What `list.map(function)` gives.
    fn mapped_entries(
        &self,
        list: &At,
        function: &FunctionAt,
        provenance: &Provenance,
    ) -> Result<Vec<ListItem>, Vec<Candidate>> {
        let returns = &function.module[function.id].returns;
        let items = self.items(function, list, provenance);
        let mut entries = Vec::new();
        for item in &items {
            if matches!(item.value, Value::Unknown(_)) {
                return Err(vec![item.clone()]);
            }
            let at_place = |decision: &Decision| match decision {
                Decision::Item { of, exact, .. } => of != function || *exact,
                _ => true,
            };
            let exact = returns.len() == 1 && item.provenance.iter().all(at_place);
            for id in returns {
                let at = At {
                    module: function.module.clone(),
                    id: *id,
                };
                let candidates = self.follow(&at, &item.provenance);
                let exact = exact && !depends(&candidates, &item.provenance);
                entries.extend(candidates.into_iter().map(|candidate| ListItem {
                    value: EntryValue::Value(candidate.value),
                    exact,
                    provenance: candidate.provenance,
                }));
            }
            if entries.len() > super::evaluate::MAX_WAYS {
                let reason = format!("The list at {} is too long to tell its items apart", list.place());
                return Err(Candidate::unknown(provenance, Code::TooMany, reason));
            }
        }
        let exact = entries.iter().all(|entry| entry.exact);
        entries.iter_mut().for_each(|entry| entry.exact = exact);
        Ok(entries)
    }

    /// The condition of `list.find(function)`.
    fn test_of(function: &FunctionAt) -> Option<At> {
        let [only] = function.module[function.id].returns[..] else {
            return None;
        };
        let module = function.module.clone();
        Some(At { module, id: only })
    }

    /// Whether an item on the way was looked for by a condition that only the running page decides: each row of a table may
    /// find the same one.
    pub(super) fn is_looked_for(&self, provenance: &Provenance) -> bool {
        provenance.iter().any(|decision| {
            let Decision::Item { of, .. } = decision else {
                return false;
            };
            let callee = of.module[of.id].argument_of.map(|(callee, _)| &of.module[callee].shape);
            let is_find = matches!(callee, Some(Shape::Member(_, Key::Named(method))) if method == "find");
            is_find && Self::test_of(of).and_then(|test| self.holds(&test, provenance)) != Some(true)
        })
    }

    /// What `list.find(function)` may give: the first item for which it is certain, else each for which it may be.
    pub(super) fn found(&self, list: &At, function: &FunctionAt, provenance: &Provenance) -> Vec<Candidate> {
        let test = Self::test_of(function);
        let mut candidates = Vec::new();
        for candidate in self.items(function, list, provenance) {
            match test.as_ref().and_then(|test| self.holds(test, &candidate.provenance)) {
                Some(false) => {}
                Some(true) => {
                    candidates.push(candidate);
                    break;
                }
                None => candidates.push(candidate),
            }
        }
        // Which of them it is has nothing to do with the places of the page.
        for decision in candidates.iter_mut().flat_map(|candidate| &mut candidate.provenance) {
            if let Decision::Item { of, exact, .. } = decision
                && of == function
            {
                *exact = false;
            }
        }
        candidates
    }

    /// Whether a comparison is certain to hold, or not to.
    fn holds(&self, test: &At, provenance: &Provenance) -> Option<bool> {
        let Shape::Equal(left, right) = test.node().shape else {
            return None;
        };
        let known = |id| match &self.follow(&test.with(id), provenance)[..] {
            [
                Candidate {
                    value: Value::Node(at), ..
                },
            ] => match &at.node().shape {
                Shape::Text(fixed) => Some((true, fixed.text.clone())),
                Shape::Number(number) => Some((false, number.clone())),
                _ => None,
            },
            _ => None,
        };
        Some(known(left)? == known(right)?)
    }

    /// Lists that are made of other lists in ways that keep the items.
    fn call_entries(
        &self,
        at: &At,
        callee: crate::source::module::NodeId,
        arguments: &[crate::source::module::NodeId],
        provenance: &Provenance,
    ) -> Result<Vec<ListItem>, Vec<Candidate>> {
        let name = self.callee_name(&at.with(callee));
        let all = |list: &At, exact: bool| self.all_entries(list, exact, provenance);
        let first = arguments.first().map(|argument| at.with(*argument));
        match (name.as_str(), first) {
            ("Array.from" | "Object.freeze" | "structuredClone", Some(list)) => return all(&list, true),
            ("Object.values" | "Object.entries", Some(object)) => {
                let candidates = self.follow(&object, provenance);
                let values = name == "Object.values";
                let exact = !depends(&candidates, provenance);
                let mut entries: Vec<ListItem> = candidates
                    .iter()
                    .flat_map(|candidate| self.pairs(candidate, values))
                    .collect();
                entries.iter_mut().for_each(|entry| entry.exact &= exact);
                return Ok(entries);
            }
            _ => {}
        }
        if let Shape::Member(object, Key::Named(method)) = &at.module[callee].shape {
            let object = at.with(*object);
            let function = arguments.first().and_then(|first| match at.module[*first].shape {
                Shape::Function(id) => Some(FunctionAt {
                    module: at.module.clone(),
                    id,
                }),
                _ => None,
            });
            if let ("map", Some(function)) = (method.as_str(), &function) {
                return self.mapped_entries(&object, function, provenance);
            }
            match method.as_str() {
                "filter" | "slice" | "sort" | "toSorted" | "reverse" | "toReversed" | "values" => {
                    return all(&object, false);
                }
                "concat" => {
                    let mut entries = all(&object, true)?;
                    for argument in arguments {
                        entries.extend(all(&at.with(*argument), true)?);
                    }
                    return Ok(entries);
                }
                _ => {}
            }
        }
        let why = self.call_why(at, &at.with(callee));
        Err(Candidate::unknown(provenance, why.code, why.reason))
    }

    /// The properties of an object in their order.
    fn pairs(&self, candidate: &Candidate, values: bool) -> Vec<ListItem> {
        let Value::Node(at) = &candidate.value else {
            return Vec::new();
        };
        let Shape::Object(properties) = &at.node().shape else {
            return Vec::new();
        };
        // Names like numbers come first when the code runs, whatever the order they are written in.
        let name = |key: &Option<String>| {
            key.as_deref()
                .is_some_and(|key| !key.starts_with(|first: char| first.is_ascii_digit()))
        };
        let exact = properties
            .iter()
            .all(|property| !property.spread && name(&property.key));
        let plain = properties.iter().filter(|property| !property.spread);
        let entry = |property: &crate::source::module::Property| {
            let value = at.with(property.value);
            let value = match (&property.key, values) {
                (Some(key), false) => EntryValue::Value(Value::Entry(value, key.clone())),
                _ => EntryValue::Node(value),
            };
            let provenance = candidate.provenance.clone();
            ListItem {
                value,
                exact,
                provenance,
            }
        };
        plain.map(entry).collect()
    }
}

/// Whether it depends on something which of these values it is.
pub(super) fn depends(candidates: &[Candidate], provenance: &Provenance) -> bool {
    let chosen = |candidate: &Candidate| {
        let own = &candidate.provenance[provenance.len().min(candidate.provenance.len())..];
        own.iter().any(|decision| {
            matches!(
                decision,
                Decision::Branch(..) | Decision::Shown(_) | Decision::Property(..)
            )
        })
    };
    candidates.len() > 1 || candidates.iter().any(chosen)
}

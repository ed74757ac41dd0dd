//! Slots of Vue: what a component is given between its tags, and what it hands back to it.

use super::evaluate::Resolver;
use super::value::{At, Candidate, Decision, ElementAt, FunctionAt, Provenance, Reason, Value, and};
use crate::source::model::Code;
use crate::source::module::{Function, FunctionId, Module, Shape, Shown};

impl Resolver<'_> {
    /// What a component's use gives for the slot `name`.
    pub(super) fn given(&self, element: &ElementAt, name: &str, provenance: &Provenance) -> Vec<Candidate> {
        let module = &element.module;
        let written = &module[element.id];
        let mut candidates = Vec::new();
        let own = written.attributes.iter().rev().filter_map(|attribute| {
            let slot = attribute.name.strip_prefix('#')?;
            Some((slot, attribute.value()?))
        });
        for (slot, value) in own {
            let module = module.clone();
            let value = At { module, id: value };
            if slot == name {
                candidates.extend(self.follow(&value, provenance));
            } else if slot.is_empty() {
                let reason = format!(
                    "Which slot is given what stands at {} is only known when the code runs",
                    value.place()
                );
                candidates.extend(Candidate::unknown(provenance, Code::Computed, reason));
            }
        }
        // The object of slots that JSX may give instead of children.
        let as_object = written.attributes.iter().any(|attribute| attribute.name == "v-slots");
        if as_object {
            let reason = format!("It is given as one of the “v-slots” at {}", Self::stamp(element));
            candidates.extend(Candidate::unknown(provenance, Code::Computed, reason));
        }
        if name == "default" && candidates.is_empty() && !written.is_empty() {
            candidates.push(Candidate::new(provenance, Value::Content(element.clone())));
        }
        if candidates.is_empty() {
            candidates.push(Candidate::new(provenance, Value::Nothing));
        }
        candidates
    }

    /// Whether what is given may show nothing, so that something else is shown: `way` are the decisions that led to it.
    pub(super) fn may_be_empty(&self, value: &Value, way: &[Decision]) -> bool {
        let (module, id) = match value {
            Value::Content(element) => (&element.module, element.id),
            Value::Node(at) => match at.node().shape {
                Shape::Element(id) if at.module[id].tag.is_empty() => (&at.module, id),
                _ => return false,
            },
            _ => return false,
        };
        let is_certain = |child: Shown<'_>| match child {
            Shown::Text(_) => true,
            // Another slot may be given nothing; characters in `{{ }}` are always something.
            Shown::Expression(id) => match module[id].shape {
                Shape::Text(_) | Shape::Joined(_) | Shape::Number(_) => true,
                _ => module.component().is_some() && !module.excerpt(&module[id].range).starts_with('<'),
            },
            Shown::Element(id) => !module[id].conditional && !module[id].tag.is_empty(),
        };
        let depends = way.iter().any(|decision| matches!(decision, Decision::Shown(_)));
        depends || !module[id].shown().any(is_certain)
    }

    /// What the function of a scoped slot is handed.
    pub(super) fn handed_to(
        &self,
        function: &FunctionAt,
        name: &str,
        provenance: &Provenance,
    ) -> Option<Vec<Candidate>> {
        let module = &function.module;
        let written: &Function = &module[function.id];
        let slot = written.slot.as_ref()?;
        let place = module.place(written.range.start);
        let (Some(of), Some(slot)) = (slot.of, &slot.name) else {
            let reason = format!("“{name}” is handed over at {place} by a slot that is only known when the code runs");
            return Some(Candidate::unknown(provenance, Code::Parameter, reason));
        };
        let value = Value::Handed(Self::element(module, of), slot.clone());
        Some(vec![Candidate::new(provenance, value)])
    }

    /// The property `key` of what a component hands to its slot at this use: `<slot :key="…">`.
    pub(super) fn handed(&self, usage: &ElementAt, slot: &str, key: &str, provenance: &Provenance) -> Vec<Candidate> {
        let module = &usage.module;
        let tag = &module[usage.id].tag;
        let unknown = |why: String| {
            let place = module.place(module[usage.id].range.start);
            let reason = format!("“{key}” is handed over by <{tag}> at {place}: {why}");
            Candidate::unknown(provenance, Code::Parameter, reason)
        };
        let Some(name) = module[usage.id].component else {
            return unknown("it is no component that can be followed".to_owned());
        };
        let name = At {
            module: module.clone(),
            id: name,
        };
        let Some(component) = self.component(&name) else {
            let candidates = self.apart(|| self.follow(&name, &Provenance::new()));
            return match &candidates[..] {
                [only] => unknown(self.why(&only.value).reason),
                _ => unknown("which component that is, is only known when the code runs".to_owned()),
            };
        };
        let stamp = Self::stamp(usage);
        let decided = provenance.iter().find_map(|decision| match decision {
            Decision::Usage(of, element, _) if *of == component => Some(element.clone()),
            _ => None,
        });
        let provenance = match decided {
            Some(decided) if decided == *usage => provenance.clone(),
            Some(_) => return unknown("the component is used inside itself".to_owned()),
            None => and(provenance, Decision::Usage(component.clone(), usage.clone(), stamp)),
        };
        let outlets = outlets(&component.module, slot);
        if outlets.is_empty() {
            return unknown(format!("{} has no <slot> of that name", component.module.path));
        }
        let candidates = outlets
            .iter()
            .flat_map(|outlet| self.attribute(outlet, key, &provenance));
        candidates.collect()
    }

    /// Why what a slot is handed as a whole is no text.
    pub(super) fn handed_why(usage: &ElementAt) -> Reason {
        let place = usage.module.place(usage.module[usage.id].range.start);
        Reason::new(
            Code::Computed,
            format!("It is all that a component hands to its slot at {place}"),
        )
    }

    /// Whether a function is that of a scoped slot.
    pub(super) fn is_slot(module: &Module, function: FunctionId) -> bool {
        module[function].slot.is_some()
    }
}

/// The `<slot>`s of this name in a component's file.
pub(super) fn outlets(module: &std::sync::Arc<Module>, name: &str) -> Vec<ElementAt> {
    let named = module.elements().filter(|(_, element)| element.tag == "slot");
    let fitting = named.filter(|(_, element)| {
        let given = element.attributes.iter().find(|attribute| attribute.name == "name");
        match given.and_then(|given| given.value()).map(|value| &module[value].shape) {
            None => name == "default",
            Some(Shape::Text(fixed)) => fixed.text == name,
            Some(_) => true,
        }
    });
    fitting.map(|(id, _)| Resolver::element(module, id)).collect()
}

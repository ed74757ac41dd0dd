//! What a library declares, as an example's tags and attributes are held against it.

use super::value::{Value, check_text};
use crate::source::components::write::hyphenated;
use crate::source::model::LibraryComponent;
use crate::source::model::library::{Kind, Property};

/// The components of a library for one framework.
pub(super) struct Declared<'d> {
    components: Vec<&'d LibraryComponent>,
    is_vue: bool,
}

/// One use of a component, whose attributes are told one after the other.
pub(super) struct Use<'d> {
    component: &'d LibraryComponent,
    is_vue: bool,
    given: Vec<&'d str>,
}

impl<'d> Declared<'d> {
    pub fn new(library: &'d [LibraryComponent], is_vue: bool) -> Self {
        let components = library.iter().filter(|component| component.is_vue == is_vue);
        Self {
            components: components.collect(),
            is_vue,
        }
    }

    /// The component that a tag names.
    pub fn begin(&self, tag: &str) -> Result<Use<'d>, String> {
        let mut components = self.components.iter();
        let found = components.find(|component| self.is_named(&component.name, tag));
        let component = found.ok_or_else(|| format!("the library has no component {tag}"))?;
        Ok(Use {
            component,
            is_vue: self.is_vue,
            given: Vec::new(),
        })
    }

    fn is_named(&self, name: &str, tag: &str) -> bool {
        name == tag || self.is_vue && hyphenated(name) == tag
    }
}

impl<'d> Use<'d> {
    pub fn name(&self) -> &'d str {
        &self.component.name
    }

    /// The use is given a property, by its name as it is written in this framework.
    pub fn give(&mut self, name: &str, value: &Value<'_>) -> Result<(), String> {
        let (component, is_vue) = (self.component, self.is_vue);
        let is_it = |property: &&Property| property.name == name || is_vue && hyphenated(&property.name) == name;
        let property = component.props.iter().find(is_it);
        let property = property.ok_or_else(|| format!("{} declares no property {name}", component.name))?;
        if self.given.contains(&property.name.as_str()) {
            return Err(format!("{name} is given twice"));
        }
        self.given.push(&property.name);
        takes(property, value)
    }

    /// Something stands between the tags.
    pub fn show(&self) -> Result<(), String> {
        if self.component.content {
            Ok(())
        } else {
            Err(format!("{} declares nothing between its tags", self.component.name))
        }
    }

    /// Nothing more is given.
    pub fn end(&self) -> Result<(), String> {
        let mut props = self.component.props.iter();
        let missing = props.find(|property| property.required && !self.given.contains(&property.name.as_str()));
        match missing {
            Some(missing) => Err(format!("{} has to be given {}", self.component.name, missing.name)),
            None => Ok(()),
        }
    }
}

/// Refuses what a property certainly does not take.
fn takes(property: &Property, value: &Value<'_>) -> Result<(), String> {
    if let Value::Text(text) = value {
        check_text(text)?;
    }
    let fits = match (&property.kind, value) {
        (_, Value::Other) | (Kind::Code, _) => true,
        (Kind::Text, Value::Text(_) | Value::Number) | (Kind::Number, Value::Number) => true,
        (Kind::Boolean, Value::Flag) => true,
        (Kind::Choice { options }, Value::Text(text)) => options.iter().any(|option| option == text),
        _ => false,
    };
    if fits {
        Ok(())
    } else {
        Err(format!("{} does not take such a value", property.name))
    }
}

//! Naming a picture of the project in an attribute.

use super::attribute::{able, appended, overridden};
use super::scope;
use super::source::Source;
use crate::source::components::{Named, Site, is_picture, picture};
use crate::source::model::Code;
use crate::source::model::plan::{Plan, Refusal, Replacement};
use crate::source::model::project::Project;
use crate::source::module::{Element, ElementId, Written};
use crate::source::notation::Notation;

/// Sets the attribute to the picture of the file `path`; imports it where it has no address of its own.
pub(super) fn plan(
    project: &dyn Project,
    source: &Source,
    index: ElementId,
    name: &str,
    path: &str,
) -> Result<Plan, Refusal> {
    let element = source.element(index);
    let site = Site {
        path: &source.path,
        text: &source.text,
        offset: element.range.start,
        is_vue: false,
    };
    if source.path.ends_with(".vue") && !path.starts_with("public/") {
        let reason = format!(
            "{} holds JSX in a Vue file: import the picture in the code, or put it in public/",
            source.path
        );
        return Err(Refusal::uncertain(Code::AttributeKind, reason));
    }
    let picture = picture(project, &site, (&element.tag, name), path)?;
    let written = match &picture.named {
        Named::Text(address) => format!("\"{}\"", Notation::JsxAttribute('"').write(address)),
        Named::Local(local) => {
            let names = [local.clone()];
            if scope::shadowed(&source.path, &source.script, element.range.start, &names).is_some() {
                let reason = format!(
                    "{local} means something else at this place of {}: rename one of the two in the code first",
                    source.path
                );
                return Err(Refusal::uncertain(Code::NameTaken, reason));
            }
            format!("{{{local}}}")
        }
    };
    let replacement = place(source, element, name, &written)?;
    Ok(source.plan(std::iter::once(replacement).chain(picture.import).collect()))
}

/// The attribute with its new value, in the place of a text or of another picture that is imported.
fn place(source: &Source, element: &Element, name: &str, written: &str) -> Result<Replacement, Refusal> {
    let Some(position) = element.attributes.iter().rposition(|attribute| attribute.name == *name) else {
        return Ok(appended(source, element, &format!("{name}={written}")));
    };
    let attribute = &element.attributes[position];
    overridden(source, element, position)?;
    let is_imported = match &attribute.written {
        Written::Expression(contained) => source
            .module
            .import(source.slice(&contained.inner).trim())
            .is_some_and(|import| import.imported.is_none() && is_picture(import.from)),
        _ => false,
    };
    if !is_imported {
        able(source, element, position)?;
    }
    let start = attribute.range.start + attribute.name.len();
    Ok(Replacement::new(start..attribute.range.end, format!("={written}")))
}

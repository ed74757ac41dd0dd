//! Naming a picture of the project in an attribute.

use super::attribute::{able, appended, overridden, position};
use super::document::Document;
use super::structure::site;
use crate::source::components::{Named, imports_picture, picture};
use crate::source::model::Project;
use crate::source::model::plan::{Plan, Refusal, Replacement};
use crate::source::notation::Notation;
use crate::source::sfc::tree::Id;

/// Sets the attribute to the picture of the file `path`, by a path or by an import as its neighbours have it.
pub(super) fn plan(
    project: &dyn Project,
    document: &Document<'_>,
    id: Id,
    name: &str,
    path: &str,
) -> Result<Plan, Refusal> {
    let element = document.element(id)?;
    let picture = picture(project, &site(document, id), (document.tag(element), name), path)?;
    let written = match &picture.named {
        Named::Text(text) => format!("{name}=\"{}\"", Notation::HtmlAttribute('"').write(text)),
        Named::Local(local) => format!(":{name}=\"{local}\""),
    };
    let replacement = match position(document, element, name)? {
        None => appended(document, element, &written),
        Some(place) => {
            overridden(document, element, place)?;
            let attribute = &element.attributes[place];
            let bound = document.expression(attribute).map(|span| span.of(document.text).trim());
            let is_imported = attribute.directive.is_some()
                && bound.is_some_and(|name| imports_picture(document.path, document.text, name));
            if !is_imported {
                able(document, element, place)?;
            }
            Replacement::new(attribute.span.range(), written)
        }
    };
    Ok(document.plan(std::iter::once(replacement).chain(picture.import).collect()))
}

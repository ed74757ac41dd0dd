//! Where an element stands after an edit.

use crate::source::{Change, LineIndex, Operation, Stamp};

/// The element's new stamp; `None` when it is gone, or cannot be told.
pub(super) fn landing(
    src: &Stamp,
    operation: &Operation,
    change: Option<&Change>,
    old: &str,
    new: &str,
) -> Option<Stamp> {
    if matches!(operation, Operation::Delete | Operation::Detach) {
        return None;
    }
    let Some(change) = change else { return Some(src.clone()) };
    let offset = LineIndex::new(old).offset(src.at)?;
    let mut shift: isize = 0;
    let mut ordered: Vec<_> = change.replacements.iter().collect();
    ordered.sort_by_key(|replacement| replacement.range.start);
    let mut taken = None;
    for replacement in ordered {
        let range = &replacement.range;
        if range.end <= offset && (range.start < offset || range.is_empty()) {
            shift += replacement.text.len().cast_signed() - range.len().cast_signed();
        } else if range.start <= offset && offset < range.end {
            taken = Some(replacement);
        }
    }
    let now = match taken {
        None => offset.checked_add_signed(shift)?,
        // Another element in its place.
        Some(taken) if taken.range.start == offset && !taken.text.is_empty() => offset.checked_add_signed(shift)?,
        Some(_) => moved(change, &old[offset..], new)?,
    };
    let at = LineIndex::new(new).position(now);
    Some(Stamp {
        path: src.path.clone(),
        at,
    })
}

/// The element was cut out here and put in elsewhere: where its beginning turns up in what was put in.
fn moved(change: &Change, element: &str, new: &str) -> Option<usize> {
    let first_line = element.lines().next()?;
    let mut found = change.replacements.iter().filter_map(|replacement| {
        let inside = replacement.text.find(first_line)?;
        let place = new.find(&replacement.text)?;
        Some(place + inside)
    });
    found.next()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::source::{Place, Replacement};

    fn land(old: &str, at: &str, operation: &Operation, replacements: Vec<Replacement>) -> Option<String> {
        let src = Stamp {
            path: "a.tsx".into(),
            at: LineIndex::new(old).position(old.find(at).unwrap()),
        };
        let path = "a.tsx".to_owned();
        let change = Change { path, replacements };
        let new = change.apply(old).unwrap();
        let stamp = landing(&src, operation, Some(&change), old, &new)?;
        let offset = LineIndex::new(&new).offset(stamp.at).unwrap();
        Some(new[offset..].to_owned())
    }

    #[test]
    fn an_element_is_found_after_changes_before_and_in_it() {
        let old = "import a\n<main>\n  <b/>\n  <i>x</i>\n</main>";
        let edit = vec![Replacement::insert(0, "import b\n"), Replacement::new(30..31, "yy")];
        let text = Operation::Text {
            text: "yy".into(),
            run: None,
        };
        assert_eq!(land(old, "<i>", &text, edit).as_deref(), Some("<i>yy</i>\n</main>"));
    }

    #[test]
    fn what_is_put_before_it_pushes_it_on() {
        let insert = Operation::Insert {
            place: Place::Before,
            markup: "<u/>".into(),
        };
        let edit = vec![Replacement::insert(3, "<u/>")];
        assert_eq!(land("<a><b/></a>", "<b", &insert, edit).as_deref(), Some("<b/></a>"));
    }

    #[test]
    fn a_moved_element_is_found_where_it_went() {
        let to = "a.tsx:1:0".parse().unwrap();
        let step = Operation::Move { to, place: Place::Last };
        let edit = vec![Replacement::remove(3..7), Replacement::insert(11, "<b/>")];
        assert_eq!(land("<a><b/><i/></a>", "<b", &step, edit).as_deref(), Some("<b/></a>"));
    }

    #[test]
    fn a_deleted_element_is_nowhere() {
        let edit = vec![Replacement::remove(3..7)];
        assert_eq!(land("<a><b/></a>", "<b", &Operation::Delete, edit), None);
    }
}

//! Where an element stands after an edit.

use crate::source::model::{Change, LineIndex, Operation, Stamp};

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
    let now = follow(change, old, offset)?;
    Some(Stamp {
        path: src.path.clone(),
        at: LineIndex::new(new).position(now),
    })
}

/// Where what stood at `offset` stands in the changed text.
fn follow(change: &Change, old: &str, offset: usize) -> Option<usize> {
    let mut ordered: Vec<_> = change.replacements.iter().collect();
    ordered.sort_by_key(|replacement| replacement.range.start);
    let mut shift: isize = 0;
    let mut place = None;
    let mut taken = None;
    // Each with the place of its text in the result.
    let mut put = Vec::with_capacity(ordered.len());
    for replacement in ordered {
        let range = &replacement.range;
        put.push((range.start.checked_add_signed(shift)?, replacement.text.as_str()));
        let is_before = range.end <= offset && (range.start < offset || range.is_empty());
        if !is_before && place.is_none() {
            place = Some(offset.checked_add_signed(shift)?);
        }
        if range.contains(&offset) {
            taken = Some(replacement);
        }
        shift += replacement.text.len().cast_signed() - range.len().cast_signed();
    }
    let place = match place {
        Some(place) => place,
        None => offset.checked_add_signed(shift)?,
    };
    match taken {
        None => Some(place),
        // Another element in its place.
        Some(taken) if taken.range.start == offset && !taken.text.is_empty() => Some(place),
        // It was cut out here and put in elsewhere: where its first line turns up in what was put in.
        Some(taken) => {
            let first_line = old.get(offset..taken.range.end)?.lines().next()?;
            let mut found = put
                .iter()
                .filter_map(|(start, text)| Some(start + text.find(first_line)?));
            found.next()
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::source::model::{Inserted, Place, Replacement};

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
        let x = old.find("x<").unwrap();
        let edit = vec![Replacement::insert(0, "import b\n"), Replacement::new(x..x + 1, "yy")];
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
            what: Inserted::Markup("<u/>".into()),
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
        let edit = vec![Replacement::insert(3, "<i/>"), Replacement::remove(7..11)];
        let up = land("<a><b/><i/><i/></a>", "<i", &step, edit);
        assert_eq!(
            up.as_deref(),
            Some("<i/><b/><i/></a>"),
            "not the other one that looks like it"
        );
    }

    #[test]
    fn a_deleted_element_is_nowhere() {
        let edit = vec![Replacement::remove(3..7)];
        assert_eq!(land("<a><b/></a>", "<b", &Operation::Delete, edit), None);
    }
}

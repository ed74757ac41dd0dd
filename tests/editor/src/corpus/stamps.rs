//! Stamping every file: that each element gets exactly one, that nothing else changes, and how fast it is.

use std::time::Instant;

use galley_editor::source::engine;
use galley_editor::source::model::Language;
use galley_editor::stamp;

use super::folder::Folder;
use super::report::Report;

/// Stamps all files and fills in the report's first part.
pub fn measure(folder: &Folder, report: &mut Report) {
    for (path, text) in folder.texts() {
        if Language::of(path).is_none() {
            continue;
        }
        let outline = match engine::outline(path, text) {
            Ok(outline) => outline,
            Err(broken) => {
                report.unread.push(format!("{path}: {broken}"));
                continue;
            }
        };
        let hosts: Vec<_> = outline.elements.iter().filter(|element| !element.component).collect();
        report.files += 1;
        report.elements += hosts.len();
        let started = Instant::now();
        let stamped = stamp::stamp(path, text);
        report.stamping += started.elapsed();
        report.bytes += text.len();
        let Ok(stamped) = stamped else {
            report.unstamped.push(path.to_owned());
            continue;
        };
        let mut found = 0;
        for element in &hosts {
            let wanted = format!(r#"data-desde-src="{}""#, element.stamp(path));
            found += usize::from(stamped.code.matches(&wanted).count() == 1);
        }
        report.stamped += found;
        if found < hosts.len() {
            report.unstamped.push(path.to_owned());
        }
        if without_stamps(&stamped.code) != without_stamps(text) {
            report
                .wrong
                .push(format!("{path}: stamping changed more than it added"));
        }
    }
}

/// The text without any stamp, however it came in.
fn without_stamps(text: &str) -> String {
    let mut result = String::with_capacity(text.len());
    let mut rest = text;
    const BEGIN: &str = " data-desde-src=\"";
    while let Some((before, after)) = rest.split_once(BEGIN) {
        result.push_str(before);
        rest = after.split_once('"').map_or("", |(_, after)| after);
    }
    result + rest
}

//! The table of tests/BENCHMARKS.md.

/// One row.
#[derive(Debug, Clone)]
pub struct Row {
    /// What was measured.
    pub what: String,
    /// The figure it must reach, in words.
    pub goal: &'static str,
    /// What came out, in words.
    pub result: String,
    /// Both sides, or whatever else explains the result.
    pub detail: String,
    /// Whether the goal is reached; `None` where there is none, or nothing could be measured.
    pub reached: Option<bool>,
}

impl Row {
    /// A row of which nothing could be measured, and why.
    pub fn skipped(what: &str, goal: &'static str, why: &str) -> Row {
        Row {
            what: what.into(),
            goal,
            result: "not measured".into(),
            detail: why.into(),
            reached: None,
        }
    }
}

/// The rows as a Markdown table.
pub fn print(rows: &[Row]) -> String {
    let mut table = String::from("| what | goal | measured | both sides | reached |\n|---|---|---|---|---|\n");
    for Row {
        what,
        goal,
        result,
        detail,
        reached,
    } in rows
    {
        let reached = reached.map_or("–", |reached| if reached { "yes" } else { "no" });
        table.push_str(&format!("| {what} | {goal} | {result} | {detail} | {reached} |\n"));
    }
    table
}

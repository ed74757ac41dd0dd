//! The statements of `sql!`, prepared against the plugin's migrations.

use super::database::Database;
use crate::plugin::Plugin;

#[doc(hidden)]
pub use inventory;

/// A statement of [`sql!`](crate::sql!), as the program knows it from the start.
#[doc(hidden)]
#[derive(Debug)]
pub struct Statement {
    pub sql: &'static str,
    pub module: &'static str,
    pub file: &'static str,
    pub line: u32,
}

inventory::collect!(Statement);

/// Prepares every statement of `module` and of the modules in it on a database after the plugin's migrations, whether a test
/// runs the statement or not, and undoes the migrations that can be undone. [`export!`](crate::export) makes a test of it.
///
/// # Panics
/// When a statement does not fit the tables: the message names the file, the line and the engine's words. When a migration, or
/// its way back, fails.
pub fn check_statements(plugin: fn() -> Plugin, module: &str) {
    let inside = |statement: &&Statement| {
        let rest = statement.module.strip_prefix(module);
        rest.is_some_and(|rest| rest.is_empty() || rest.starts_with("::"))
    };
    let mut statements: Vec<_> = inventory::iter::<Statement>().filter(inside).collect();
    let plugin = plugin();
    if statements.is_empty() && plugin.migrations.is_empty() {
        return;
    }
    statements.sort_by_key(|statement| (statement.file, statement.line));
    let database = Database::open(&plugin);
    let faults: String = statements
        .into_iter()
        .filter_map(|Statement { sql, file, line, .. }| {
            let problem = database.prepare(sql).err()?;
            // SQLite's words have the statement in them when it knows the place.
            let statement = match problem.message.contains(sql) {
                true => String::new(),
                false => format!(" in {sql}"),
            };
            Some(format!("\n{file}:{line}: {}{statement}", problem.message))
        })
        .collect();
    assert!(faults.is_empty(), "statements do not fit the migrations:{faults}");
    if let Err(fault) = database.undo(&plugin.migrations) {
        panic!("{fault}");
    }
}

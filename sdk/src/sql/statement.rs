//! Statements that `cargo test` checks.

/// A statement, as a `&'static str`, which the plugin's own `cargo test` prepares against its migrations: a misspelt column
/// fails there, even when no test runs the statement. Several texts are joined, and [`concat!`]'s other arguments work too.
///
/// ```
/// use galley_sdk::prelude::*;
///
/// macro_rules! columns {
///     () => {
///         "SELECT id, text FROM notes "
///     };
/// }
///
/// const NEWEST: &str = sql!(columns!(), "ORDER BY id DESC LIMIT 1");
///
/// fn clear(project: &str) -> Result<u64, Problem> {
///     sql::execute(sql!("DELETE FROM notes WHERE project_id = ?1"), params![project])
/// }
/// ```
///
/// [`export!`](crate::export) makes the test, `galley_statements::fit_the_migrations`. It prepares the statements of the module
/// that calls it and of the modules in it; [`check_statements`](crate::testing::check_statements) does it elsewhere. In a
/// component nothing of this is left.
#[macro_export]
macro_rules! sql {
    ($($part:expr),+ $(,)?) => {{
        const SQL: &str = ::core::concat!($($part),+);
        #[cfg(not(target_arch = "wasm32"))]
        $crate::testing::inventory::submit! {
            $crate::testing::Statement {
                sql: SQL,
                module: ::core::module_path!(),
                file: ::core::file!(),
                line: ::core::line!(),
            }
        }
        SQL
    }};
}

//! What SQL that is not ours may do: a list of what is allowed. Everything else is refused, what a later SQLite brings
//! included.

use rusqlite::hooks::{AuthAction, AuthContext};

/// Tables with this prefix belong to the host.
pub const HOST_TABLES: &str = "_galley_";
/// Those that the host makes in a slot's file, in lower case.
pub const KNOWN_HOST_TABLES: [&str; 3] = ["_galley_events", "_galley_schema", "_galley_copies"];

/// SQLite's own tables that statements on the schema read and write. SQLite itself refuses direct writes to the first two.
const SQLITE_TABLES: [&str; 3] = ["sqlite_master", "sqlite_schema", "sqlite_sequence"];

/// Modules of virtual tables that stay inside the file. Tables of them are made by migrations only.
const MODULES: [&str; 2] = ["fts5", "rtree"];

/// Pragmas that these modules read.
const MODULES_PRAGMAS: [&str; 2] = ["data_version", "page_size"];

/// Virtual tables that are there without being created, and that look at more than rows.
const HIDDEN_TABLES: [&str; 2] = ["dbstat", "fts3tokenize"];

/// Functions. Each was tried with the largest and most hostile arguments (the tests of this crate hold the trials): what takes
/// longer than a pass or two over its arguments is replaced in `functions.rs`, or not here. `json_patch` takes the square of
/// their length in time, `json_pretty` their product in memory, and `snippet` the square of the hits in a document: minutes
/// for a document of 1 MiB. None of them can be stopped meanwhile.
#[rustfmt::skip]
const FUNCTIONS: &[&str] = &[
    // Text and blobs.
    "char", "concat", "concat_ws", "format", "glob", "hex", "instr", "length", "like", "lower", "ltrim", "octet_length",
    "printf", "quote", "randomblob", "replace", "rtrim", "soundex", "substr", "substring", "trim", "unhex", "unicode",
    "unistr", "unistr_quote", "upper", "zeroblob",
    // Values and conditions.
    "coalesce", "if", "ifnull", "iif", "likelihood", "likely", "max", "min", "nullif", "subtype", "typeof", "unlikely",
    // Numbers.
    "abs", "acos", "acosh", "asin", "asinh", "atan", "atan2", "atanh", "ceil", "ceiling", "cos", "cosh", "degrees", "exp",
    "floor", "ln", "log", "log10", "log2", "mod", "pi", "pow", "power", "radians", "random", "round", "sign", "sin", "sinh",
    "sqrt", "tan", "tanh", "trunc",
    // Time.
    "current_date", "current_time", "current_timestamp", "date", "datetime", "julianday", "strftime", "time", "timediff",
    "unixepoch",
    // The last statement, and the library.
    "changes", "last_insert_rowid", "sqlite_version", "total_changes",
    // Aggregates and windows.
    "avg", "count", "cume_dist", "dense_rank", "first_value", "group_concat", "lag", "last_value", "lead", "nth_value",
    "ntile", "percent_rank", "rank", "row_number", "string_agg", "sum", "total",
    // JSON.
    "->", "->>", "json", "json_array", "json_array_length", "json_each", "json_error_position", "json_extract",
    "json_group_array", "json_group_object", "json_insert", "json_object", "json_quote", "json_remove",
    "json_replace", "json_set", "json_tree", "json_type", "json_valid", "jsonb", "jsonb_array", "jsonb_extract",
    "jsonb_group_array", "jsonb_group_object", "jsonb_insert", "jsonb_object", "jsonb_remove", "jsonb_replace", "jsonb_set",
    // Full-text search.
    "bm25", "highlight", "match",
];

/// Prefixes of functions that SQLite's own statements use when a table is altered. No other statement can call them.
const ALTERING: [&str; 4] = ["sqlite_rename_", "sqlite_drop_", "sqlite_add_", "sqlite_find_"];

/// Whether a statement may do this. `migrating` is true for statements of a migration.
pub fn is_allowed(context: &AuthContext<'_>, migrating: bool) -> bool {
    // Names of the TEMP database come before those of the file: a table or a trigger there would reach into the host's own
    // statements.
    // For ALTER TABLE SQLite gives a column there, and the database beside the table.
    let database = match context.action {
        AuthAction::AlterTable { database_name, .. } => Some(database_name),
        _ => context.database_name,
    };
    if database.is_some_and(|name| !name.eq_ignore_ascii_case("main")) {
        return is_look_at_temp_schema(context);
    }
    match context.action {
        AuthAction::Select | AuthAction::Recursive | AuthAction::Reindex { .. } => true,
        AuthAction::Function { function_name } => is_function(function_name),
        AuthAction::Read { table_name, .. } => is_readable(table_name),
        AuthAction::Insert { table_name }
        | AuthAction::Update { table_name, .. }
        | AuthAction::Delete { table_name } => is_writable(table_name),
        AuthAction::CreateTable { table_name }
        | AuthAction::DropTable { table_name }
        | AuthAction::CreateIndex { table_name, .. }
        | AuthAction::DropIndex { table_name, .. }
        | AuthAction::CreateTrigger { table_name, .. }
        | AuthAction::DropTrigger { table_name, .. } => !is_hosts(table_name),
        AuthAction::CreateView { view_name } | AuthAction::DropView { view_name } => !is_hosts(view_name),
        AuthAction::AlterTable { table_name, .. } => !is_hosts(table_name),
        AuthAction::CreateVtable {
            table_name,
            module_name,
        } => migrating && !is_hosts(table_name) && is_one_of(&MODULES, module_name),
        AuthAction::DropVtable {
            table_name,
            module_name,
        } => !is_hosts(table_name) && is_one_of(&MODULES, module_name),
        AuthAction::Pragma {
            pragma_name,
            pragma_value: None,
        } => is_one_of(&MODULES_PRAGMAS, pragma_name),
        // ATTACH, DETACH, PRAGMA, transactions, savepoints, ANALYZE (its tables steer the host's own statements too),
        // everything TEMP, and what is not known.
        _ => false,
    }
}

/// Whether this is ALTER TABLE looking for a trigger of the TEMP database that names the table. There is none.
fn is_look_at_temp_schema(context: &AuthContext<'_>) -> bool {
    match context.action {
        AuthAction::Read { table_name, .. } | AuthAction::Update { table_name, .. } => {
            is_one_of(&["sqlite_temp_master", "sqlite_temp_schema"], table_name)
        }
        _ => false,
    }
}

/// Whether a statement makes a table or changes one.
pub fn changes_schema(context: &AuthContext<'_>) -> bool {
    use AuthAction::{AlterTable, CreateTable, CreateView, CreateVtable};
    matches!(
        context.action,
        CreateTable { .. } | CreateView { .. } | CreateVtable { .. } | AlterTable { .. }
    )
}

fn is_function(name: &str) -> bool {
    is_one_of(FUNCTIONS, name) || ALTERING.iter().any(|prefix| name.starts_with(prefix))
}

fn is_readable(table: &str) -> bool {
    let pragma = has_prefix(table, "pragma_");
    !is_hosts(table) && !pragma && !is_one_of(&HIDDEN_TABLES, table)
}

fn is_writable(table: &str) -> bool {
    is_readable(table) && (!has_prefix(table, "sqlite_") || is_one_of(&SQLITE_TABLES, table))
}

fn is_hosts(table: &str) -> bool {
    has_prefix(table, HOST_TABLES)
}

fn has_prefix(name: &str, prefix: &str) -> bool {
    name.get(..prefix.len())
        .is_some_and(|start| start.eq_ignore_ascii_case(prefix))
}

fn is_one_of(names: &[&str], name: &str) -> bool {
    names.iter().any(|known| known.eq_ignore_ascii_case(name))
}

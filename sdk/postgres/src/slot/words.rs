//! Which words of a plugin's statement may stand before a parenthesis, and which names stand nowhere.

/// Functions of PostgreSQL, in the order of its manual. What waits, reads or writes beyond the tables, runs a text as a statement,
/// or changes a setting is not among them; those of sequences neither, which take the name of any one as a text.
#[rustfmt::skip]
const FUNCTIONS: &[&str] = &[
    // Values and conditions.
    "coalesce", "greatest", "least", "nullif", "num_nonnulls", "num_nulls", "isfinite",
    // Numbers.
    "abs", "acos", "acosd", "acosh", "asin", "asind", "asinh", "atan", "atan2", "atan2d", "atand", "atanh", "cbrt", "ceil",
    "ceiling", "cos", "cosd", "cosh", "cot", "degrees", "div", "exp", "floor", "gcd", "lcm", "ln", "log", "log10", "min_scale",
    "mod", "pi", "power", "radians", "random", "round", "scale", "sign", "sin", "sind", "sinh", "sqrt", "tan", "tand", "tanh",
    "trim_scale", "trunc", "width_bucket",
    // Text and bytes.
    "ascii", "bit_count", "bit_length", "btrim", "char_length", "character_length", "chr", "concat", "concat_ws",
    "convert_from", "convert_to", "decode", "encode", "format", "get_bit", "get_byte", "initcap", "left", "length", "lower",
    "lpad", "ltrim", "md5", "normalize", "octet_length", "overlay", "position", "quote_ident", "quote_literal",
    "quote_nullable", "regexp_count", "regexp_instr", "regexp_like", "regexp_match", "regexp_matches", "regexp_replace",
    "regexp_split_to_array", "regexp_split_to_table", "regexp_substr", "repeat", "replace", "reverse", "right", "rpad",
    "rtrim", "set_bit", "set_byte", "sha224", "sha256", "sha384", "sha512", "split_part", "starts_with", "string_to_array",
    "string_to_table", "strpos", "substr", "substring", "to_hex", "translate", "trim", "unistr", "upper",
    // Time.
    "age", "clock_timestamp", "current_time", "current_timestamp", "date_bin", "date_part", "date_trunc", "extract",
    "justify_days", "justify_hours", "justify_interval", "localtime", "localtimestamp", "make_date", "make_interval",
    "make_time", "make_timestamp", "make_timestamptz", "now", "statement_timestamp", "to_char", "to_date", "to_number",
    "to_timestamp", "transaction_timestamp",
    // JSON.
    "array_to_json", "json_array_elements", "json_array_elements_text", "json_array_length", "json_build_array",
    "json_build_object", "json_each", "json_each_text", "json_extract_path", "json_extract_path_text", "json_object",
    "json_object_keys", "json_populate_record", "json_populate_recordset", "json_strip_nulls", "json_to_record",
    "json_to_recordset", "json_typeof", "jsonb_array_elements", "jsonb_array_elements_text", "jsonb_array_length",
    "jsonb_build_array", "jsonb_build_object", "jsonb_each", "jsonb_each_text", "jsonb_extract_path",
    "jsonb_extract_path_text", "jsonb_insert", "jsonb_object", "jsonb_object_keys", "jsonb_path_exists", "jsonb_path_match",
    "jsonb_path_query", "jsonb_path_query_array", "jsonb_path_query_first", "jsonb_populate_record",
    "jsonb_populate_recordset", "jsonb_pretty", "jsonb_set", "jsonb_set_lax", "jsonb_strip_nulls", "jsonb_to_record",
    "jsonb_to_recordset", "jsonb_typeof", "row_to_json", "to_json", "to_jsonb",
    // Arrays and sets.
    "array_append", "array_cat", "array_dims", "array_length", "array_lower", "array_ndims", "array_position",
    "array_positions", "array_prepend", "array_remove", "array_replace", "array_to_string", "array_upper", "cardinality",
    "generate_series", "generate_subscripts", "trim_array", "unnest",
    // Aggregates and windows.
    "array_agg", "avg", "bit_and", "bit_or", "bit_xor", "bool_and", "bool_or", "corr", "count", "covar_pop", "covar_samp",
    "cume_dist", "dense_rank", "every", "first_value", "json_agg", "json_object_agg", "jsonb_agg", "jsonb_object_agg", "lag",
    "last_value", "lead", "max", "min", "mode", "nth_value", "ntile", "percent_rank", "percentile_cont", "percentile_disc",
    "rank", "regr_slope", "row_number", "stddev", "stddev_pop", "stddev_samp", "string_agg", "sum", "var_pop", "var_samp",
    "variance",
    // Full-text search.
    "array_to_tsvector", "json_to_tsvector", "jsonb_to_tsvector", "numnode", "phraseto_tsquery", "plainto_tsquery",
    "querytree", "setweight", "strip", "to_tsquery", "to_tsvector", "ts_delete", "ts_filter", "ts_headline", "ts_rank",
    "ts_rank_cd", "tsquery_phrase", "tsvector_to_array", "websearch_to_tsquery",
    // Keys. Numbers are given by the columns themselves (`GENERATED … AS IDENTITY`).
    "gen_random_uuid",
    // Types, written as functions or with a length.
    "bit", "bool", "bpchar", "char", "character", "date", "decimal", "float", "float4", "float8", "int2", "int4", "int8",
    "interval", "numeric", "text", "time", "timestamp", "timestamptz", "timetz", "varbit", "varchar", "varying",
];

/// Keywords that are followed by a parenthesis, and methods of indexes. None of them calls anything.
#[rustfmt::skip]
const KEYWORDS: &[&str] = &[
    "all", "and", "any", "array", "as", "between", "by", "case", "cast", "check", "conflict", "cube", "default", "distinct",
    "else", "escape", "except", "exists", "filter", "from", "group", "grouping", "having", "identity", "ilike", "in", "include", "inherits",
    "intersect", "is", "join", "key", "lateral", "like", "limit", "materialized", "not", "offset", "on", "only", "or", "over", "overlaps",
    "returning", "rollup", "row", "select", "set", "sets", "similar", "some", "symmetric", "then", "to", "union", "unique",
    "using", "values", "when", "where", "with", "within",
    "brin", "btree", "gin", "gist", "hash", "spgist",
];

/// What begins so belongs to PostgreSQL or to the host.
const HIDDEN_PREFIXES: [&str; 2] = ["pg_", "_galley_"];

/// Names that tell of other databases and roles, or of the catalog, though they call nothing.
#[rustfmt::skip]
const HIDDEN: &[&str] = &[
    "information_schema", "aclitem", "regclass", "regcollation", "regnamespace", "regoper", "regoperator", "regproc",
    "regprocedure", "regrole", "regtype",
];

/// Keywords that tell who runs the statement, and where.
#[rustfmt::skip]
const WHO: &[&str] = &[
    "current_catalog", "current_role", "current_schema", "current_user", "session_user", "system_user", "user",
];

/// Names that stand for the time or for chance, and types whose texts may: `'now'` is a moment, `'today'` a day.
#[rustfmt::skip]
const UNSTEADY: &[&str] = &[
    "age", "clock_timestamp", "current_date", "current_time", "current_timestamp", "localtime", "localtimestamp", "now",
    "statement_timestamp", "transaction_timestamp",
    "abstime", "date", "interval", "time", "timestamp", "timestamptz", "timetz", "to_date", "to_timestamp",
    "gen_random_uuid", "random", "tablesample",
];

/// Whether a statement with this name may answer something else though the data are the same.
pub fn is_unsteady(name: &str) -> bool {
    UNSTEADY.contains(&name.to_lowercase().as_str())
}

/// Whether this name may stand before a parenthesis.
pub fn may_be_called(name: &str) -> bool {
    FUNCTIONS.contains(&name)
}

/// Whether this keyword may stand before a parenthesis.
pub fn may_precede_parenthesis(keyword: &str) -> bool {
    KEYWORDS.contains(&keyword)
}

/// Whether this name stands in no statement of a plugin.
pub fn is_hidden(name: &str) -> bool {
    let name = name.to_lowercase();
    HIDDEN_PREFIXES.iter().any(|prefix| name.starts_with(prefix)) || HIDDEN.contains(&name.as_str())
}

/// Whether this keyword tells who runs the statement.
pub fn tells_who(keyword: &str) -> bool {
    WHO.contains(&keyword)
}

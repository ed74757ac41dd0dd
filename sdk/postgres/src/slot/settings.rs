//! What each connection to a slot's database is set to.

/// Texts are read as the list of what is allowed reads them; a statement has one process, and its plan does not wait for a
/// compiler.
const SETTINGS: &str = "
    SET standard_conforming_strings = on; SET search_path = public; SET TimeZone = 'UTC'; SET DateStyle = 'ISO';
    SET IntervalStyle = 'iso_8601'; SET extra_float_digits = 1; SET max_parallel_workers_per_gather = 0; SET jit = off;
    SET client_min_messages = warning; SET statement_timeout = '10s'; SET idle_in_transaction_session_timeout = '10s'";

/// The statements that set it: one for reads cannot write.
pub fn of(is_read_only: bool) -> String {
    format!("{SETTINGS}; SET default_transaction_read_only = {is_read_only}")
}

//! `sql!`: statements that no test runs are checked too.

use galley_sdk::prelude::*;
use galley_sdk::testing::check_statements;

const TABLES: &str = "CREATE TABLE notes (id INTEGER PRIMARY KEY, text TEXT)";

fn plugin() -> Plugin {
    Plugin::new("demo", "1.0.0").migration(1, TABLES)
}

mod fitting {
    use galley_sdk::prelude::*;

    const ALL: &str = sql!("SELECT id, ", "text FROM notes");

    #[test]
    fn pass_and_are_plain_texts() {
        super::check_statements(super::plugin, module_path!());
        assert_eq!(ALL, "SELECT id, text FROM notes");
    }
}

mod misspelt {
    use galley_sdk::prelude::*;

    #[expect(dead_code, reason = "this is the point: nobody calls it")]
    fn never_called(id: i64) -> Result<u64, Problem> {
        sql::execute(sql!("UPDATE notes SET txet = 'a' WHERE id = ?1"), params![id])
    }

    #[test]
    #[should_panic(expected = "statements.rs:29: no such column: txet in UPDATE notes SET txet")]
    fn fail_by_file_and_line() {
        super::check_statements(super::plugin, module_path!());
    }

    #[test]
    fn are_those_of_the_named_module_only() {
        super::check_statements(super::plugin, "all::statements::mis");
    }
}

mod forbidden {
    use galley_sdk::prelude::*;

    const ATTACH: &str = sql!("ATTACH 'other.db' AS other");

    #[test]
    #[should_panic(expected = "not authorized")]
    fn fail_as_they_would_in_the_host() {
        assert!(!ATTACH.is_empty());
        super::check_statements(super::plugin, module_path!());
    }
}

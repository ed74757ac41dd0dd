//! Whether there is a second engine.

use std::io::Write;
use std::sync::Once;

use galley_manifest::Migration;

use super::second::Second;

/// Says whether tests run on PostgreSQL: `required` fails without it, `off` leaves it out, and an address
/// (`postgresql://user:password@host/name`) names a server to use in place of one that is started.
const VARIABLE: &str = "GALLEY_TEST_POSTGRES";

/// Opens PostgreSQL with the plugin's tables; `None`, and said so, when it is not there.
///
/// # Panics
/// When a migration fails there, or when it is not there and the environment asks for it.
pub(super) fn open(migrations: &[Migration]) -> Option<Box<dyn Second>> {
    let wanted = std::env::var(VARIABLE).unwrap_or_default();
    if wanted == "off" {
        leave_out(&format!("{VARIABLE} is `off`"));
        return None;
    }
    match connect(&wanted, migrations) {
        Ok(second) => Some(second),
        Err(reason) if wanted.is_empty() => {
            leave_out(&reason);
            None
        }
        Err(reason) => panic!("the tests cannot run on PostgreSQL, which {VARIABLE} asks for: {reason}"),
    }
}

#[cfg(feature = "postgres")]
fn connect(wanted: &str, migrations: &[Migration]) -> Result<Box<dyn Second>, String> {
    let address = match wanted {
        "" | "required" => super::server::shared()?,
        address => address,
    };
    Ok(Box::new(super::postgres::Postgres::open(address, migrations)?))
}

#[cfg(not(feature = "postgres"))]
fn connect(_: &str, _: &[Migration]) -> Result<Box<dyn Second>, String> {
    Err(
        "Cargo.toml does not ask for it: `galley-sdk` among [dev-dependencies] needs `features = [\"postgres\"]`"
            .to_owned(),
    )
}

/// Says once that tests run on SQLite alone. Test runners keep what is printed by a test that passes; this they do not.
fn leave_out(reason: &str) {
    static SAID: Once = Once::new();
    SAID.call_once(|| {
        let line = format!("galley: the plugin is for PostgreSQL, too, and its tests ran on SQLite only: {reason}\n");
        let _ = std::io::stderr().write_all(line.as_bytes());
    });
}

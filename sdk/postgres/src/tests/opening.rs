//! Databases that a server starts on, and those it does not.

use galley_harness::pgbouncer::PgBouncer;

use super::*;

fn steps(sql: &[&str]) -> Vec<Step> {
    let step = |(version, sql): (u32, &&str)| Step {
        version,
        sql: (*sql).to_owned(),
    };
    (1..).zip(sql).map(step).collect()
}

async fn open(url: &str, sql: &[&str]) -> Result<Database, OpenError> {
    Database::open(url, Bounds::default(), steps(sql)).await
}

async fn refusal(url: &str) -> Unfit {
    match open(url, &[]).await {
        Err(OpenError::Unfit(unfit)) => unfit,
        other => panic!("{:?}", other.err()),
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn of_servers_that_start_at_once_one_makes_the_schema() {
    let postgres = Postgres::start_with(&[]);
    let url = postgres.new_database();
    let slow = "CREATE TABLE slow (id int8); SELECT pg_sleep(0.5); INSERT INTO slow VALUES (1)";
    let mut starts = tokio::task::JoinSet::new();
    for _ in 0..4 {
        let url = url.clone();
        starts.spawn(async move { open(&url, &[slow, "INSERT INTO slow VALUES (2)"]).await });
    }
    for started in starts.join_all().await {
        let database = started.unwrap();
        let rows = database.read(|session| session.query("SELECT count(*), sum(id)::int8 FROM slow", &[]));
        assert_eq!(rows.await, Ok::<_, Failure>(vec![vec![2.into(), 3.into()]]));
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_step_that_fails_leaves_the_schema_as_it_was_and_a_later_one_is_respected() {
    let postgres = Postgres::start_with(&[]);
    let url = postgres.new_database();
    let first = "CREATE TABLE a (id int8)";
    let failed = open(&url, &[first, "CREATE TABLE b (id int8)", "CREATE TABLE a (id int8)"]).await;
    let said = failed.err().unwrap().to_string();
    assert!(
        said.contains("migration 3") && said.contains("already exists"),
        "{said}"
    );
    // Neither of the first two is there.
    open(&url, &[first, "CREATE TABLE b (id int8)"]).await.unwrap();
    open(&url, &[first, "CREATE TABLE b (id int8)"]).await.unwrap();
    let newer = open(&url, &[first]).await.err().unwrap();
    assert_eq!(
        newer,
        OpenError::Migration(MigrationError::TooNew { found: 2, known: 1 })
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn what_loses_acknowledged_changes_is_refused() {
    for setting in ["fsync", "synchronous_commit"] {
        let postgres = Postgres::start_with(&[&format!("{setting}=off")]);
        let unfit = refusal(&postgres.url()).await;
        assert_eq!(unfit, Unfit::Lossy(setting));
        assert!(unfit.to_string().contains(&format!("`{setting} = off`")), "{unfit}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_standby_is_refused() {
    let postgres = Postgres::start_with(&[]);
    postgres.become_standby();
    assert_eq!(refusal(&postgres.url()).await, Unfit::Standby);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_pooler_that_lends_connections_for_transactions_is_refused_and_one_for_sessions_is_not() {
    let postgres = Postgres::start_with(&[]);
    let pooler = PgBouncer::before(&postgres, "transaction");
    let unfit = refusal(&pooler.url()).await;
    assert_eq!(unfit, Unfit::Pooler);
    assert!(unfit.to_string().contains("pool_mode = session"), "{unfit}");
    let pooler = PgBouncer::before(&postgres, "session");
    open(&pooler.url(), &["CREATE TABLE a (id int8)"]).await.unwrap();
}

#[tokio::test(flavor = "multi_thread")]
async fn a_role_without_rights_is_refused() {
    let postgres = Postgres::start_with(&[]);
    postgres.psql("CREATE ROLE guest LOGIN");
    let as_guest = |url: &str| url.replace("galley@", "guest@");
    let url = postgres.new_database();
    let unfit = refusal(&as_guest(&url)).await;
    assert_eq!(unfit, Unfit::Role("guest".to_owned()));
    assert!(unfit.to_string().contains("OWNER TO \"guest\""), "{unfit}");
    // It may make tables, and those that are there are another's.
    open(&postgres.url(), &[]).await.unwrap();
    postgres.psql("GRANT CREATE ON SCHEMA public TO guest");
    assert_eq!(
        refusal(&as_guest(&postgres.url())).await,
        Unfit::Role("guest".to_owned())
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn an_address_that_is_none_and_one_where_nobody_answers_are_told_apart() {
    for address in [
        "",
        "hush",
        "postgresql://",
        "http://galley:hush@127.0.0.1/x",
        "postgresql://galley:hush@127.0.0.1:port/x",
    ] {
        let unfit = refusal(address).await;
        assert_eq!(unfit, Unfit::Failed(Failure::Address), "{address}");
        let said = unfit.to_string();
        assert!(said.contains("postgresql://user:password@host:5432/name"), "{said}");
        assert!(!said.contains("hush"), "{said}");
    }
    let closed = format!(
        "postgresql://galley:hush@127.0.0.1:{}/x",
        galley_harness::ports::free_port()
    );
    let unfit = refusal(&closed).await;
    assert!(matches!(&unfit, Unfit::Failed(Failure::Unavailable(_))), "{unfit:?}");
    assert!(!unfit.to_string().contains("hush"), "{unfit}");
}

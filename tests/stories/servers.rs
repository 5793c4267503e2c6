//! What can be wrong with a server, each in its own sentence; and what a desk needs of one.

use std::collections::BTreeSet;
use std::io::{Read, Write};
use std::net::TcpListener;
use std::sync::Arc;
use std::time::Duration;

use willcall::domain::customer::Customer;
use willcall::domain::job::JobKind;
use willcall::domain::receipt::Tender;
use willcall::domain::resource::Policy;
use willcall::domain::time::Span;
use willcall::engine::clock::ManualClock;
use willcall::engine::ops::{
    AddResource, AddWaiting, BeginTidying, CancelCart, ChangeSettings, Checkout, KeepSeats, OpenCart, PayBy,
    ReserveCart, SetAside, TicketsTo,
};
use willcall::engine::reads::catalog::ReadSettings;
use willcall::engine::reads::jobs::ReadJobs;
use willcall::engine::{Actor, Config, Desk, Engine, Failure, Role, Ticker};
use willcall::store::{Location, Missing};

use crate::cluster::{Cluster, database};
use crate::ground::Ground;
use crate::limit::until;
use crate::on_a_server::calendar::resource;
use crate::on_a_server::support::{House, actor};
use crate::proxy::Proxy;

fn refused(address: &str) -> String {
    let opened = Location::parse(address).and_then(|place| place.open(Missing::Refuse).map(|_| ()));
    let sentence = opened.unwrap_err().to_string();
    assert!(!sentence.contains("secret"), "a password is told: {sentence}");
    sentence
}

#[test]
fn each_thing_that_is_wrong_with_a_server_has_its_sentence() {
    let Some(cluster) = Cluster::shared() else {
        return;
    };
    let house = super::on_a_server::house();
    let Ground::Server { schema, .. } = &house.ground else {
        return;
    };
    let folder = cluster.folder().display();
    cluster
        .execute(schema, "CREATE ROLE guarded LOGIN PASSWORD 'right secret'; CREATE ROLE poor LOGIN; CREATE ROLE crowded LOGIN CONNECTION LIMIT 0; CREATE SCHEMA empty");
    let database = database(schema);
    let own = format!("host={folder} dbname={database} options='-c search_path={schema}'");
    let says = |address: &str, part: &str| {
        let sentence = refused(address);
        assert!(sentence.contains(part), "{address}: {sentence}");
    };
    says("postgres://ada:secret@no.such.host.invalid/house", "no machine is known as");
    says("postgres://ada:secret@127.0.0.1:1/house", "no server answers at");
    says(&format!("{own} user=guarded password='wrong secret'"), "check the name and the password");
    says(&format!("{own} user=guarded"), "asks for a password");
    says(&format!("{own} user=nobody_here"), "does not let nobody_here in");
    says(&format!("{own} user=crowded"), "lets nobody in now: too many connections");
    says(&format!("host={folder} user=willcall dbname=nowhere"), "there is no database nowhere");
    says(
        &format!("host={folder} user=willcall dbname={database} options='-c search_path=empty'"),
        "there is no house in",
    );
    says(
        &format!(
            "host={folder} user=willcall dbname={database} options='-c search_path={schema} -c default_transaction_read_only=on'"
        ),
        "read-only standby",
    );
    let poor = format!("host={folder} user=poor dbname={database} options='-c search_path=empty'");
    let made = Location::parse(&poor).unwrap().open(Missing::Create).map(|_| ());
    assert!(made.unwrap_err().to_string().contains("poor may not do this"));
    house.ground.meddle("UPDATE house_schema SET version = version + 1");
    says(&format!("{own} user=willcall"), "was changed by a newer willcall");
    house.ground.meddle("UPDATE house_schema SET version = version - 1");
    house.verified();
}

#[test]
fn a_server_without_tls_is_refused_where_it_is_asked_for() {
    let server = TcpListener::bind("127.0.0.1:0").unwrap();
    let port = server.local_addr().unwrap().port();
    std::thread::spawn(move || {
        for mut client in server.incoming().map_while(Result::ok) {
            let mut asked = [0; 8];
            // it says no to the question, and then nothing more
            let _ = client.read_exact(&mut asked).and_then(|()| client.write_all(b"N"));
        }
    });
    for sslmode in ["require", "verify-full"] {
        let sentence = refused(&format!("postgres://ada:secret@127.0.0.1:{port}/house?sslmode={sslmode}"));
        assert!(sentence.contains("speaks no TLS") || sentence.contains("trusts no authority"), "{sentence}");
    }
}

/// The grants as the help has them, for another schema and role.
fn grants(schema: &str, role: &str) -> String {
    let help = include_str!("../../assets/help/server.md");
    let (_, block) = help.split_once("CREATE ROLE desk LOGIN;").expect("the help has the grants");
    let (block, _) = block.split_once("```").unwrap();
    let block = block.replace("SCHEMA public", &format!("SCHEMA {schema}"));
    let block = block.replace("TO desk", &format!("TO {role}"));
    let block = block.replace("FROM desk", &format!("FROM {role}"));
    format!("CREATE ROLE {role} LOGIN; {block}")
}

/// Runs one job of each kind by a desk.
fn runs_one_job_of_each_kind(house: &House, desk: &Desk) {
    let hold = |seats: &str| {
        let cart = desk.run(OpenCart::default()).unwrap().id;
        desk.run(house.holding(cart, seats)).unwrap();
        cart
    };
    let customer = Customer { name: "Ida".into(), ..Customer::default() };
    hold("A1");
    let cart = hold("A2");
    desk.run(SetAside { cart }).unwrap();
    desk.run(ReserveCart {
        cart: hold("A3"),
        customer: Some(customer.clone()),
        pay_by: PayBy::Usual,
        alert: None,
        last: None,
    })
    .unwrap();
    desk.run(Checkout {
        customer: Some(customer.clone()),
        tickets: TicketsTo::Desk,
        ..Checkout::new(hold("A4"), vec![Tender::Cash { given: None }])
    })
    .unwrap();
    desk.run(KeepSeats {
        performance: house.show,
        seats: vec!["A5".into()],
        reason: "press".into(),
        until: desk.now() + Span::minutes(60),
    })
    .unwrap();
    desk.run(AddWaiting { performance: house.show, customer, seats: 20, category: None, priority: None }).unwrap();
    desk.run(AddResource {
        policy: Policy::Preallocated { horizon: None, roll_days: Some(7) },
        ..resource("Hotel", 1440)
    })
    .unwrap();
    desk.run(BeginTidying).unwrap();
    let mut kinds = BTreeSet::new();
    for job in desk.read(ReadJobs::default()).unwrap() {
        let (kind, subject) = (job.known().unwrap(), job.subject);
        let run = desk.run_job(kind, subject).unwrap();
        let outcome = run.outcome.as_str();
        assert!(!["failed", "parked"].contains(&outcome), "{kind:?}: {run:?}");
        kinds.insert(kind);
    }
    // a call of a listener is a job only while it runs
    let scheduled = JobKind::built_in().filter(|kind| !kind.runs_beside() && *kind != JobKind::ListenerCall);
    assert_eq!(kinds, scheduled.collect());
}

#[test]
fn a_desk_works_with_the_grants_of_the_readme_and_cannot_change_the_journal() {
    let Some(cluster) = Cluster::shared() else {
        return;
    };
    let house = super::on_a_server::house();
    let Ground::Server { schema, .. } = &house.ground else {
        return;
    };
    let role = format!("desk_{schema}");
    cluster.execute(schema, &grants(schema, &role));
    let address = cluster.address(schema).replace("user=willcall", &format!("user={role}"));
    let engine = Engine::open(Config {
        clock: std::sync::Arc::<willcall::engine::clock::ManualClock>::clone(&house.clock),
        ..Config::new(Location::parse(&address).unwrap())
    })
    .unwrap();
    let desk = engine.desk(Actor { operator: "ben".into(), station: "till-2".into() });
    let cart = desk.run(OpenCart::default()).unwrap().id;
    let hold = house.holding(cart, "A1 A2");
    desk.run(hold).unwrap();
    desk.run(willcall::engine::ops::CancelCart { cart }).unwrap();
    desk.sweep().unwrap();
    runs_one_job_of_each_kind(&house, &desk);
    for forbidden in [
        "UPDATE journal SET operator = ''",
        "DELETE FROM journal",
        "TRUNCATE journal",
        "UPDATE house_schema SET version = 99",
        "DELETE FROM receipt",
        "ALTER TABLE cart ADD COLUMN x TEXT",
        "CREATE TABLE x (y TEXT)",
    ] {
        let denied = cluster.try_as(&role, schema, forbidden).unwrap_err();
        assert!(denied.contains("permission denied") || denied.contains("must be owner"), "{forbidden}: {denied}");
    }
    house.verified();
}

#[test]
fn a_write_that_lost_its_begin_is_refused_by_the_server() {
    let Some(cluster) = Cluster::shared() else {
        return;
    };
    let house = super::on_a_server::house();
    let Ground::Server { schema, .. } = &house.ground else {
        return;
    };
    let database = house.ground.place().open(Missing::Refuse).unwrap();
    let write = "INSERT INTO presence (station, operator, place, seen_at) VALUES ('till-9', '', '', 0)";
    assert!(database.session().unwrap().execute(write, &[]).is_err());
    // a reader sends outside a transaction whatever is asked of it
    assert!(database.reader().unwrap().query(write, &[]).is_err());
    assert!(cluster.ask(schema, "SELECT station FROM presence").is_empty());
    let mut session = database.session().unwrap();
    session.begin().unwrap();
    session.execute(write, &[]).unwrap();
    session.commit().unwrap();
    assert_eq!(cluster.ask(schema, "SELECT station FROM presence"), ["till-9"]);
}

/// Regression: an update of a row that was not there changed none, and was answered as done.
#[test]
fn a_cart_that_a_server_lost_behind_the_desk_is_not_taken_for_canceled() {
    let house = super::on_a_server::house();
    let carts = ["A1", "A2"].map(|seats| house.cart_with(seats));
    house.ground.meddle(&format!("DELETE FROM cart WHERE key = '{}'", carts[0]));
    let [lost, kept] = carts.map(|cart| house.desk.run(CancelCart { cart }));
    assert!(matches!(lost, Err(Failure::Refused(_))), "{lost:?}");
    assert!(kept.is_ok(), "{kept:?}");
}

#[test]
fn a_station_is_told_of_anothers_commit_and_neither_of_its_own_nor_of_another_houses() {
    if Cluster::shared().is_none() {
        return;
    }
    let (house, elsewhere) = (Ground::server(), Ground::server());
    let open = |house: &Ground| {
        let database = house.place().open(Missing::Create).unwrap();
        (database.bell().unwrap().unwrap(), database.reader().unwrap())
    };
    let ((mut bell, mut own), (_, mut other)) = (open(&house), open(&house));
    let (_, mut stranger) = open(&elsewhere);
    stranger.ring().unwrap();
    own.ring().unwrap();
    other.ring().unwrap();
    assert!(bell.hear(Duration::from_secs(10)).unwrap());
    stranger.ring().unwrap();
    own.ring().unwrap();
    assert!(!bell.hear(Duration::from_millis(300)).unwrap());
}

#[test]
fn other_stations_are_told_of_a_commit_of_a_command_that_runs_once() {
    if Cluster::shared().is_none() {
        return;
    }
    let house = Ground::server();
    let database = house.place().open(Missing::Create).unwrap();
    let mut bell = database.bell().unwrap().unwrap();
    let engine = Engine::open(Config { role: Role::Command, ..Config::new(house.place()) });
    let engine = engine.unwrap();
    let open = OpenCart::default();
    let desk = engine.desk(actor("ada", "till-1"));
    desk.read(ReadSettings).unwrap();
    desk.run(open).unwrap();
    drop((desk, engine));
    assert!(bell.hear(Duration::from_secs(10)).unwrap());
}

#[test]
fn a_server_that_refuses_to_be_listened_to_once_is_asked_again() {
    let Some(cluster) = Cluster::start("") else {
        return;
    };
    cluster.execute("", "CREATE ROLE till LOGIN; GRANT ALL ON SCHEMA public TO till");
    let address = cluster.address("public").replace("user=willcall", "user=till");
    let place = Location::parse(&address).unwrap();
    let database = place.open(Missing::Create).unwrap();
    let may = |what: &str| format!("{what} EXECUTE ON FUNCTION pg_catalog.current_schema()");
    cluster.execute("", &format!("{} FROM PUBLIC", may("REVOKE")));
    let refused = database.bell().map(|bell| bell.is_some());
    assert!(refused.is_err(), "not that it will never be: {refused:?}");
    cluster.execute("", &format!("{} TO PUBLIC", may("GRANT")));
    assert!(database.bell().unwrap().is_some());
}

#[test]
fn what_a_server_can_do_is_tried_out_and_said_in_words() {
    if Cluster::shared().is_none() {
        return;
    }
    let house = super::on_a_server::house();
    let database = house.ground.place().open(Missing::Refuse).unwrap();
    let found = database.findings().unwrap().join("\n");
    for part in [
        "The server is PostgreSQL",
        "sees one snapshot (repeatable read)",
        "hear of a commit at once (LISTEN and NOTIFY)",
        "costs next to nothing",
        "Advisory locks, exclusion constraints and SKIP LOCKED are not needed",
    ] {
        assert!(found.contains(part), "{part}: {found}");
    }
}

/// The help on servers that share the work.
const fn scaling() -> &'static str {
    include_str!("../../assets/help/scaling.md")
}

/// The texts between each two marks.
fn between<'a>(text: &'a str, from: &'a str, until: &'a str) -> Vec<&'a str> {
    let parts = text.split(from).skip(1);
    parts.map(|part| part.split(until).next().unwrap()).collect()
}

#[test]
fn the_tables_and_columns_that_the_help_distributes_are_those_of_the_schema() {
    let Some(cluster) = Cluster::shared() else {
        return;
    };
    let house = super::on_a_server::house();
    let Ground::Server { schema, .. } = &house.ground else {
        return;
    };
    let names = |text: &str| -> BTreeSet<String> {
        let text = text.replace("SCHEMA", &format!("'{schema}'"));
        cluster.ask(schema, &text).into_iter().collect()
    };
    let columns =
        names("SELECT table_name || '.' || column_name FROM information_schema.columns WHERE table_schema = SCHEMA");
    let tables = names("SELECT table_name FROM information_schema.tables WHERE table_schema = SCHEMA");
    let constraints = names(
        "SELECT conrelid::regclass || '.' || conname FROM pg_constraint WHERE connamespace = SCHEMA::regnamespace AND contype IN ('p', 'u')",
    );
    let recipe = willcall::engine::house_files::distribution();
    let part = &recipe;
    let mut placed = BTreeSet::new();
    let mut shards = BTreeSet::new();
    for call in between(part, "create_distributed_table(", ")") {
        let (table, column) = call.split_once(", ").unwrap();
        let column = column.split(',').next().unwrap();
        let (table, column) = (table.trim_matches('\''), column.trim_matches('\''));
        assert!(columns.contains(&format!("{table}.{column}")), "{call}");
        assert!(placed.insert(table.to_owned()), "{table} twice");
        shards.insert(format!("{table}.{column}"));
    }
    for table in between(part, "create_reference_table('", "'") {
        assert!(placed.insert(table.to_owned()), "{table} twice");
    }
    assert_eq!(placed, tables, "each table is placed once");
    for drop in between(part, "ALTER TABLE ", ";") {
        let dropped = drop.replace(" DROP CONSTRAINT ", ".");
        assert!(constraints.contains(&dropped), "{drop}");
    }
    // the table for people says the same
    for row in scaling().lines().filter(|line| line.starts_with("| ") && line.contains('`')) {
        let table = between(row, "| ", " |").concat();
        let table = table.split(' ').next().unwrap();
        let column = between(row, "`", "`");
        let shard = format!("{table}.{}", column.first().unwrap());
        assert!(shards.remove(&shard), "{row}");
    }
    assert_eq!(shards, BTreeSet::new());
}

#[test]
fn jobs_run_and_listeners_are_called_where_the_server_does_not_tell_its_log_position() {
    let Some(cluster) = Cluster::shared() else {
        return;
    };
    let house = super::on_a_server::house();
    let Ground::Server { schema, .. } = &house.ground else {
        return;
    };
    let silent = "CREATE FUNCTION pg_current_wal_lsn() RETURNS pg_lsn LANGUAGE plpgsql AS                   $$ BEGIN RAISE EXCEPTION 'it has none'; END $$";
    cluster.execute(schema, silent);
    let there = Location::parse(&cluster.address(&format!("{schema},pg_catalog"))).unwrap();
    let mut reader = there.open(Missing::Refuse).unwrap().reader().unwrap();
    for _ in 0..100 {
        assert_eq!(reader.change_counter().unwrap(), None);
    }
    drop(reader);
    let proxy = Proxy::start(cluster, Box::new(|| ()));
    let address = proxy.address(&format!("{schema},pg_catalog"));
    let engine = Engine::open(Config {
        ticker: Ticker::On,
        clock: Arc::<ManualClock>::clone(&house.clock),
        ..Config::new(Location::parse(&address).unwrap())
    })
    .unwrap();
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("heard");
    let command = format!("cat >> '{}'", file.display());
    house.desk.run(ChangeSettings::to("listener.cart_expired", &command)).unwrap();
    let cart = house.open_cart();
    house.pass(Span::minutes(30));
    let (cart, heard) = (cart.to_string(), || std::fs::read_to_string(&file));
    until("the listener heard of the cart", || heard().is_ok_and(|told| told.contains(&cart)));
    drop(engine);
    // a connection asks for the position once, however many looks a busy machine needs
    let (errors, connections) = (proxy.errors("it has none"), proxy.connections());
    assert_ne!(errors, 0);
    assert!(errors <= connections, "{errors} of {connections}");
    house.verified();
}

#[test]
fn a_commit_is_flushed_whatever_the_server_is_set_to() {
    let Some(cluster) = Cluster::start("-c synchronous_commit=off") else {
        return;
    };
    assert_eq!(cluster.ask("", "SHOW synchronous_commit"), ["off"]);
    let place = Location::parse(&cluster.address("public")).unwrap();
    let database = place.open(Missing::Create).unwrap();
    let asked = "SELECT current_setting('synchronous_commit')";
    let mut session = database.session().unwrap();
    session.begin().unwrap();
    assert_eq!(session.query(asked, &[]).unwrap().first().unwrap().text(0), "on");
    let found = database.findings().unwrap().join(" ");
    assert!(found.contains("survives a loss of power"), "{found}");
}

//! The real binary on a server: what is wrong with one, each in its own sentence, and what a house there needs.

use std::fs;
use std::io::{BufRead, BufReader};
use std::os::unix::fs::PermissionsExt;
use std::process::Stdio;

use serde_json::Value;

use crate::cluster::{Cluster, database};
use crate::ground::Ground;
use crate::support::{House, Ran};

/// What nobody may ever see.
const SECRET: &str = "hush-1789";

/// The binary on a place, as programs call it. It never tells a password.
fn at(place: &str, line: &str) -> Ran {
    let house = House::none();
    let mut command = house.command();
    command.args(["--db", place, "--json"]);
    command.args(crate::support::split(line));
    let ran = Ran::of(line, command.output().unwrap());
    assert!(!ran.out.contains(SECRET) && !ran.err.contains(SECRET), "a password is told: {ran:#?}");
    ran
}

/// A server's house with something sold and something held, and its place.
fn sold_and_held(ground: &Ground) -> String {
    let place = ground.place().spelled();
    at(&place, "init").done();
    at(&place, "theater add 'The Royal' --rows 5x16 --time-zone UTC").done();
    at(&place, "performance add --theater 'The Royal' --title Movie --start 2099-12-01T19:30 --end 2099-12-01T21:30 --price 10.00").done();
    for (seats, paid) in [("B1,B2,B3", true), ("C1,C2", false)] {
        let cart = at(&place, "cart open").done();
        let cart = cart["id"].as_str().unwrap();
        let add = format!("cart add {cart} --performance Movie --seats {seats}");
        at(&place, &add).done();
        if paid {
            at(&place, &format!("cart checkout {cart} --pay cash=50.00")).done();
        }
    }
    place
}

/// Everything that a house says of itself.
fn told(place: &str) -> Vec<Value> {
    ["journal", "receipt list", "cart list --all", "performance seats Movie"]
        .map(|line| at(place, line).done())
        .to_vec()
}

#[test]
fn a_house_moves_to_a_server_and_back_and_tells_the_same() {
    let (one, other) = (Ground::server(), Ground::server());
    let place = sold_and_held(&one);
    let before = told(&place);
    let house = House::none();
    let file = house.path("moved.db").display().to_string();
    let again = other.place().spelled();
    let mut counts = Vec::new();
    for (from, to) in [(&place, &file), (&file, &again)] {
        let ran =
            Ran::of("copy", house.command().args(["--json", "copy", "--from", from, "--to", to]).output().unwrap());
        let answer = ran.done();
        assert_eq!(answer["verified"], true);
        counts.push((answer["rows"].clone(), answer["checked"].clone()));
        assert_eq!(told(to), before);
    }
    assert_eq!(counts[0], counts[1], "as many rows there as back");
    let onto = house.command().args(["--json", "copy", "--from", &file, "--to", &again]).output().unwrap();
    Ran::of("copy onto a house", onto).refused("exists");
    assert_eq!(told(&again), before);
    at(&again, "cart open").done();
    assert_eq!(at(&again, "verify").done()["ok"], true);
}

#[test]
fn a_servers_house_is_backed_up_into_one_file_and_restored_onto_an_empty_server() {
    let (one, other) = (Ground::server(), Ground::server());
    let place = sold_and_held(&one);
    let house = House::none();
    let file = house.path("kept.db").display().to_string();
    let answer = at(&place, &format!("backup '{file}'")).done();
    assert_eq!(answer["verified"], true);
    let names: Vec<_> = fs::read_dir(house.folder.path()).unwrap().map(|entry| entry.unwrap().file_name()).collect();
    assert_eq!(names, ["kept.db"], "a backup is one file");
    let kept = fs::read(&file).unwrap();
    at(&place, &format!("backup '{file}'")).refused("exists");
    at(&place, &format!("restore '{file}'")).refused("exists");
    let again = other.place().spelled();
    at(&again, &format!("restore '{file}'")).done();
    assert_eq!(told(&again), told(&place));
    let in_a_file = house.path("again.db").display().to_string();
    at(&in_a_file, &format!("restore '{file}'")).done();
    assert_eq!(told(&in_a_file), told(&place));
    assert_eq!(fs::read(&file).unwrap(), kept, "the backup is not touched");
    assert_eq!(at(&again, "verify").done()["ok"], true);
}

#[test]
fn everything_that_can_be_wrong_with_a_server_has_its_own_word_and_says_what_to_do() {
    let ground = Ground::server();
    let Ground::Server { cluster, schema } = &ground else {
        return;
    };
    let place = ground.place().spelled();
    at(&place, "init").done();
    cluster.execute(
        schema,
        &format!("CREATE ROLE guarded LOGIN PASSWORD '{SECRET}'; CREATE ROLE poor LOGIN; CREATE SCHEMA bare; CREATE SCHEMA let; GRANT USAGE ON SCHEMA bare TO poor"),
    );
    let folder = cluster.folder().display();
    let with = |user: &str, rest: &str| format!("host={folder} user={user} {rest}");
    let database = database(schema);
    let own = format!("dbname={database} options='-c search_path={schema}'");
    let bare = format!("dbname={database} options='-c search_path=bare'");
    let asleep = format!("dbname={database} options='-c search_path={schema} -c default_transaction_read_only=on'");
    let wrong = [
        (format!("postgres://ada:{SECRET}@no.such.host.invalid/house"), "unknown_host", "check the host"),
        (format!("postgres://ada:{SECRET}@127.0.0.1:1/house"), "unreachable", "check the host and the port"),
        (format!("postgres://ada:{SECRET}@127.0.0.1/house?sslmod=require"), "bad_address", "quote a value"),
        (with("guarded", &format!("{own} password='not {SECRET}'")), "not_let_in", "check the name and the password"),
        (with("guarded", &own), "no_password", "PGPASSWORD"),
        (with("nobody_here", &own), "not_let_in", "check the name"),
        (with("willcall", "dbname=nowhere"), "missing_database", "createdb nowhere"),
        (with("willcall", &bare), "missing_house", "init"),
        (with("willcall", &asleep), "standby", "name the primary"),
        (with("poor", &own), "no_rights", "grant what willcall help server lists"),
    ];
    for (place, kind, advice) in &wrong {
        let ran = at(place, "cart open");
        let is_outage = ["unknown_host", "unreachable"].contains(kind);
        let refused = if is_outage { ran.failed(kind) } else { ran.refused(kind) };
        let problem = refused["problem"].as_str().unwrap();
        assert!(problem.contains(advice), "{problem}");
    }
    at(&with("poor", &bare), "init").refused("no_rights");
    assert_eq!(at(&place, "verify").done()["ok"], true);
}

/// A pooler in transaction mode gives a session of an earlier desk, with its settings, to the next.
#[test]
fn a_session_with_the_settings_of_an_earlier_desk_is_refused() {
    let ground = Ground::server();
    let Ground::Server { cluster, schema } = &ground else {
        return;
    };
    at(&ground.place().spelled(), "init").done();
    let shared = format!(
        "host={} user=willcall dbname={} options='-c search_path={schema} \
         -c default_transaction_read_only=on -c idle_in_transaction_session_timeout=60000 \
         -c client_min_messages=warning'",
        cluster.folder().display(),
        database(schema)
    );
    let refused = at(&shared, "cart open").refused("pooled");
    let problem = refused["problem"].as_str().unwrap();
    assert!(problem.contains("a pool in session mode"), "{problem}");
}

#[test]
fn a_program_that_is_older_than_the_schema_writes_nothing_and_says_so() {
    let ground = Ground::server();
    let place = ground.place().spelled();
    at(&place, "init").done();
    ground.meddle("UPDATE house_schema SET version = version + 1");
    let refused = at(&place, "cart open").refused("newer_schema");
    let problem = refused["problem"].as_str().unwrap();
    assert!(problem.contains("update this one"), "{problem}");
    ground.meddle("UPDATE house_schema SET version = version - 1");
    at(&place, "cart open").done();
    assert_eq!(at(&place, "cart list").done().as_array().map(Vec::len), Some(1));
}

#[test]
fn a_password_is_nowhere_but_where_it_was_written() {
    let ground = Ground::server();
    let Ground::Server { cluster, schema } = &ground else {
        return;
    };
    let role = format!("keeper_{schema}");
    cluster.execute(
        schema,
        &format!("CREATE ROLE {role} LOGIN PASSWORD '{SECRET}'; GRANT ALL ON SCHEMA {schema} TO {role}; CREATE ROLE kept; GRANT kept TO {role}"),
    );
    let folder = cluster.folder().display().to_string();
    let database = database(schema);
    let bare = format!("host={folder} user={role} dbname={database} options='-c search_path={schema}'");
    let said = format!("{bare} password={SECRET}");
    let made = at(&said, "init").done();
    assert!(!made.to_string().contains(SECRET));
    at(&said, "theater add Royal --rows 2x2 --time-zone UTC").done();
    // from a passfile too, but not from one that others may read
    let house = House::none();
    let passfile = house.write("pass", &format!("*:*:*:{role}:{SECRET}\n"));
    let asked = |mode: u32| {
        fs::set_permissions(&passfile, fs::Permissions::from_mode(mode)).unwrap();
        let mut command = house.command();
        command.env("PGPASSFILE", &passfile);
        command.args(["--json", "--db", &bare, "journal"]);
        Ran::of("journal", command.output().unwrap())
    };
    let journal = asked(0o600).done();
    assert!(journal.as_array().is_some_and(|entries| !entries.is_empty()));
    let open = asked(0o644).refused("no_password");
    assert!(open["problem"].as_str().unwrap().contains("chmod 600"));
    let everything = cluster.ask(schema, "SELECT operator || station || encode(said, 'escape') FROM journal");
    assert!(!everything.is_empty() && everything.iter().all(|entry| !entry.contains(SECRET)));
    let log = fs::read_to_string(cluster.folder().join("log")).unwrap_or_default();
    assert!(!log.contains(SECRET));
}

#[test]
fn a_server_that_is_too_old_or_only_follows_another_is_refused() {
    let ground = Ground::server();
    let Ground::Server { cluster, schema } = &ground else {
        return;
    };
    at(&ground.place().spelled(), "init").done();
    // a server that says of itself that it is old
    cluster.execute(
        schema,
        "CREATE SCHEMA old; CREATE FUNCTION old.current_setting(text) RETURNS text LANGUAGE sql STABLE AS $$ \
         SELECT CASE $1 WHEN 'server_version' THEN '12.22' WHEN 'server_version_num' THEN '120022' \
         ELSE pg_catalog.current_setting($1) END $$",
    );
    let old = cluster.address(&format!("{schema},old,pg_catalog"));
    let refused = at(&old, "cart open").refused("old_server");
    let problem = refused["problem"].as_str().unwrap();
    assert!(problem.contains("version 12.22, and 13 is needed"), "{problem}");
    let standby = cluster.standby();
    let refused = at(&standby.address(schema), "cart open").refused("standby");
    let problem = refused["problem"].as_str().unwrap();
    assert!(problem.contains("name the primary"), "{problem}");
}

#[test]
fn a_certificate_is_looked_at_as_sslmode_says() {
    let Some((cluster, [named, unnamed])) = Cluster::with_tls() else {
        return;
    };
    let folder = cluster.folder().display();
    at(&cluster.address("public"), "init").done();
    let at_tls = |host: &str, rest: &str| {
        at(&format!("postgres://willcall:{SECRET}@{host}/postgres?{rest}"), "performance list")
    };
    let (ca, other) = (format!("sslrootcert={folder}/ca.crt"), format!("sslrootcert={folder}/other.crt"));
    for (host, rest) in [
        (&unnamed, "sslmode=prefer".to_owned()),
        (&unnamed, "sslmode=require".to_owned()),
        (&unnamed, format!("sslmode=verify-ca&{ca}")),
        (&named, format!("sslmode=verify-full&{ca}")),
        // the certificate is of the host, whatever address is called
        (&named, format!("sslmode=verify-full&{ca}&hostaddr={unnamed}")),
    ] {
        at_tls(host, &rest).done();
    }
    for (host, rest, kind, advice) in [
        (&unnamed, format!("sslmode=verify-full&{ca}"), "untrusted", "the host's name"),
        (&unnamed, format!("sslmode=verify-full&{ca}&hostaddr={named}"), "untrusted", "the host's name"),
        (&named, format!("sslmode=verify-full&{other}"), "untrusted", "sslrootcert"),
        (&unnamed, format!("sslmode=verify-ca&{other}"), "untrusted", "sslrootcert"),
        (&named, "sslmode=verify-full&sslrootcert=/nowhere.crt".to_owned(), "bad_certificates", "/nowhere.crt"),
        (&unnamed, "sslmode=disable".to_owned(), "needs_tls", "sslmode=require"),
    ] {
        let refused = at_tls(host, &rest).refused(kind);
        let problem = refused["problem"].as_str().unwrap();
        assert!(problem.contains(advice), "{host} {rest}: {problem}");
    }
    cluster.execute("", "CREATE ROLE plain LOGIN SUPERUSER");
    let plain = |rest: &str| at(&format!("postgres://plain@{named}/postgres?{rest}"), "performance list");
    plain("sslmode=prefer").done();
    plain("sslmode=require").refused("not_let_in");
    cluster.certify_without_names();
    at_tls(&named, "sslmode=prefer").done();
    at_tls(&named, "sslmode=require").done();
    let refused = at_tls(&named, &format!("sslmode=verify-ca&{ca}")).refused("uncheckable");
    let problem = refused["problem"].as_str().unwrap();
    assert!(problem.contains("have one of version 3 made"), "{problem}");
}

#[test]
fn a_journal_that_is_followed_tells_an_entry_that_is_stored_behind_a_later_one() {
    let ground = Ground::server();
    let Ground::Server { cluster, schema } = &ground else {
        return;
    };
    let place = sold_and_held(&ground);
    let newest = cluster.ask(schema, "SELECT MAX(seq) FROM journal");
    let newest: i64 = newest.first().unwrap().parse().unwrap();
    // two transactions that were given their places in order, and commit the other way round
    let store = |seq: i64| {
        ground.meddle(&format!(
            "INSERT INTO journal (seq, command, at, operator, station, chain, link, hash, said) \
             SELECT {seq}, 'command {seq}', 0, 'ada', 'till-1', 'x', {seq}, '', said FROM journal WHERE seq = {newest}"
        ));
    };
    let mut follower = House::none().command();
    follower.args(["--db", &place, "--json", "journal", "--follow", "--after"]);
    let mut follower = follower.arg(newest.to_string()).stdout(Stdio::piped()).spawn().unwrap();
    let mut lines = BufReader::new(follower.stdout.take().unwrap()).lines();
    let mut told = || {
        let line = lines.next().unwrap().unwrap();
        serde_json::from_str::<Value>(&line).unwrap()["id"].as_i64().unwrap()
    };
    store(newest + 2);
    assert_eq!(told(), newest + 2);
    store(newest + 1);
    assert_eq!(told(), newest + 1, "it was passed over");
    store(newest + 3);
    assert_eq!(told(), newest + 3, "each is told once");
    follower.kill().unwrap();
    follower.wait().unwrap();
}

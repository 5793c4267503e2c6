//! Jobs of own kinds that cannot be added.

use serde_json::json;

use super::refused;
use crate::support::House;

const ADD: &str = "job add --kind order-shipped --subject order-77 --due +1h";

#[test]
fn an_unknown_kind_needs_its_command() {
    let house = House::empty();
    refused(&house, ADD, ("not_found", "kind of job \"order_shipped\""));
    let setting = "settings set job.order-shipped.checks 3";
    refused(&house, setting, ("not_found", "kind of job \"order_shipped\""));
}

#[test]
fn a_name_that_is_built_in_or_none_is_no_own_kind() {
    let house = House::empty();
    let add = |kind: &str| format!("job add --kind {kind} --subject x --due +1h --run 'exit 0'");
    refused(&house, &add("cart-expiry"), ("bad_value", "this kind is built in"));
    refused(&house, &add("7up"), ("bad_value", "Kind: it has to be a letter"));
    let subject = "job add --kind order-shipped --subject '' --due +1h --run 'exit 0'";
    refused(&house, subject, ("bad_value", "Subject: it needs a name"));
}

#[test]
fn a_command_that_the_shell_cannot_run_is_refused_at_once() {
    let house = House::empty();
    let add = |run: &str| format!("{ADD} --run '{run}'");
    refused(&house, &add("nowhere-to-be-found --now"), ("bad_value", "nowhere-to-be-found: not found"));
    refused(&house, &add("if true; then"), ("bad_value", "Run: it can't be run"));
    refused(&house, &add(" "), ("bad_value", "it is empty"));
    let there = house.write("not-executable", "exit 0");
    refused(&house, &add(&there), ("bad_value", "or no program"));
}

#[test]
fn a_first_check_in_the_past_or_at_no_time_is_refused() {
    let house = House::empty();
    let add = |due: &str| format!("job add --kind order-shipped --subject x --run 'exit 0' --due {due}");
    refused(&house, &add("2020-01-01T10:00"), ("in_the_past", "is past"));
    refused(&house, &add("soon"), ("bad_value", "Due: "));
}

#[test]
fn a_limit_out_of_its_range_is_refused() {
    let house = House::empty();
    let add = |limit: &str| format!("{ADD} --run 'exit 0' {limit}");
    refused(&house, &add("--limit 2h"), ("out_of_range", "Limit has to be from 10ms to 30s"));
    refused(&house, &add("--slot 0s"), ("bad_value", "Slot: "));
    refused(&house, &add("--horizon 10s"), ("out_of_range", "Horizon has to be"));
    refused(&house, &add("--checks 101"), ("bad_value", "between 0 and 100"));
    for wrong in ["10", "-1", "first"] {
        refused(&house, &add(&format!("--priority={wrong}")), ("bad_value", "Priority: "));
    }
    house.json(&format!("{ADD} --run 'exit 0'")).done();
    let change = "job change order-shipped order-77";
    refused(&house, &format!("{change} --priority 10"), ("bad_value", "between 0 and 9"));
    refused(&house, "job change order-shipped order-78 --priority 1", ("not_found", "order-78"));
    assert_eq!(house.run(change).code, 2, "one of both");
}

#[test]
fn a_kind_that_exists_with_other_settings_names_the_difference() {
    let house = House::empty();
    house.json(&format!("{ADD} --run 'exit 0' --checks 3")).done();
    let add = |other: &str| format!("job add --kind order-shipped --subject order-78 --due +1h {other}");
    let facts = refused(&house, &add("--run 'exit 1'"), ("other_job_kind", "another run: exit 0"));
    assert_eq!((&facts["job"], &facts["field"]), (&json!("order_shipped"), &json!("run")));
    refused(&house, &add("--checks 4"), ("other_job_kind", "another checks: 3"));
    house.json(&add("--run 'exit 0' --checks 3")).done();
    refused(&house, ADD, ("job_exists", "A job for order-77 waits already"));
    let end = format!("job end cart-expiry {}", house.cart());
    refused(&house, &end, ("bad_value", "ends with its subject"));
    refused(&house, "settings set job.order-shipped.run ''", ("bad_value", "jobs of this kind wait"));
}

//! Files as they come, good and bad.

use super::*;
use crate::domain::plan::SeatKind;

/// A plan of one zone with one row of two seats, in which texts are replaced.
fn file(changes: &[(&str, &str)]) -> String {
    let mut file = r##"{"name":"House","categories":[{"name":"One","color":"#ff0000"}],
"size":{"width":100,"height":100},"zones":[{"name":"Stalls","position":{"x":10,"y":20},"rows":[
{"row_number":"A","position":{"x":1,"y":2},"seats":[
{"seat_number":"1","seat_guid":"a","position":{"x":0,"y":0},"category":"One"},
{"seat_number":"2","seat_guid":"b","position":{"x":25.004,"y":0},"category":"One"}]}],"areas":[]}]}"##
        .to_owned();
    for (from, to) in changes {
        assert!(file.contains(from), "{from}");
        file = file.replacen(from, to, 1);
    }
    file
}

fn read(changes: &[(&str, &str)]) -> Result<ImportedPlan, PlanError> {
    import(file(changes).as_bytes(), Strictness::Lenient)
}

fn oddities(changes: &[(&str, &str)]) -> Vec<(String, String)> {
    let odd = read(changes).unwrap().oddities;
    let strict = import(file(changes).as_bytes(), Strictness::Strict);
    assert_eq!(strict.is_err(), !odd.is_empty(), "strict refuses what lenient reports");
    odd.into_iter().map(|odd| (odd.place, odd.what)).collect()
}

#[test]
fn a_clean_plan_has_absolute_positions_in_hundredths_and_short_names() {
    let ImportedPlan { plan, oddities } = read(&[]).unwrap();
    assert_eq!(oddities, []);
    let seats = &plan.zones[0].rows[0].seats;
    assert_eq!(seats[0].at, Point { x: 1_100, y: 2_200 });
    assert_eq!(seats[1].at, Point { x: 3_600, y: 2_200 });
    assert_eq!((seats[0].name.as_str(), seats[1].name.as_str()), ("A1", "A2"));
    assert_eq!(plan.categories[0].color.as_deref(), Some("#ff0000"));
}

#[test]
fn a_byte_order_mark_is_not_part_of_the_plan() {
    let marked = format!("\u{feff}{}", file(&[]));
    assert!(import(marked.as_bytes(), Strictness::Strict).is_ok());
}

#[test]
fn an_unknown_key_is_reported_with_its_place() {
    let odd = oddities(&[(r#""seat_guid":"b""#, r#""seat_guid":"b","heated":true"#)]);
    assert_eq!(odd.len(), 1);
    assert_eq!(odd[0].0, "zones[0].rows[0].seats[1]");
    assert!(odd[0].1.contains("heated"));
}

#[test]
fn whole_numbers_name_seats_and_only_a_sale_is_reported() {
    let number = (r#""seat_number":"2""#, r#""seat_number":2,"status":"available""#);
    assert_eq!(oddities(&[number]), []);
    let odd = oddities(&[(r#""seat_number":"2""#, r#""seat_number":2.5,"status":"sold""#)]);
    assert_eq!(odd.len(), 2, "{odd:?}");
    assert!(odd[0].1.contains("its status 'sold' was left out"), "{odd:?}");
}

#[test]
fn repeated_guids_and_numbers_are_reported_and_names_stay_unique() {
    let odd = oddities(&[(r#""b""#, r#""a""#), (r#""seat_number":"2""#, r#""seat_number":"1""#)]);
    let places: Vec<&str> = odd.iter().map(|(place, _)| place.as_str()).collect();
    assert_eq!(places, ["zones[0].rows[0].seats[1]", "zones[0]"]);
    let changes = [(r#""seat_number":"2""#, r#""seat_number":"1""#)];
    let plan = read(&changes).unwrap().plan;
    let names: Vec<&str> = plan.seats().map(|(_, seat)| seat.name.as_str()).collect();
    assert_eq!(names, ["Stalls/1/A/1", "Stalls/1/A/1#2"]);
}

#[test]
fn missing_labels_get_a_number_and_are_reported() {
    let odd = oddities(&[(r#""row_number":"A","#, ""), (r#""seat_number":"2""#, r#""seat_number":"""#)]);
    assert_eq!(odd.len(), 2, "{odd:?}");
    let plan = read(&[(r#""row_number":"A","#, "")]).unwrap().plan;
    assert_eq!(plan.zones[0].rows[0].label, "1");
    assert_eq!(plan.zones[0].rows[0].seats[1].name, "1/2");
}

#[test]
fn a_place_for_a_wheelchair_is_known_and_another_kind_is_odd() {
    let wheelchair = [(r#""category":"One"},"#, r#""category":"One","kind":"wheelchair"},"#)];
    assert_eq!(oddities(&wheelchair), []);
    assert_eq!(read(&wheelchair).unwrap().plan.zones[0].rows[0].seats[0].kind, SeatKind::Wheelchair);
    let sofa = [(r#""category":"One"},"#, r#""category":"One","kind":"sofa"},"#)];
    assert_eq!(oddities(&sofa)[0].0, "zones[0].rows[0].seats[0]");
}

#[test]
fn p7_what_a_seat_is_made_for_is_read_from_the_keys_of_real_files() {
    for (keys, kind) in [
        (r#""wheelchair":true"#, SeatKind::Wheelchair),
        (r#""wheelchair":"yes""#, SeatKind::Wheelchair),
        (r#""wheelchair":false"#, SeatKind::Standard),
        (r#""companion":1"#, SeatKind::Companion),
        (r#""restricted":true"#, SeatKind::Restricted),
        (r#""seat_type":"Wheelchair Space""#, SeatKind::Wheelchair),
        (r#""seat_type":"wheelchair_companion""#, SeatKind::Companion),
        (r#""kind":"restricted_view""#, SeatKind::Restricted),
        (r#""seat_type":"standard""#, SeatKind::Standard),
        (r#""wheelchair":null"#, SeatKind::Standard),
    ] {
        let keyed = format!(r#""category":"One",{keys}}},"#);
        let change = [(r#""category":"One"},"#, keyed.as_str())];
        assert_eq!(oddities(&change), [], "{keys}");
        let plan = read(&change).unwrap().plan;
        assert_eq!(plan.zones[0].rows[0].seats[0].kind, kind, "{keys}");
    }
    let both = r#""category":"One","restricted":true,"wheelchair":true},"#;
    let change = [(r#""category":"One"},"#, both)];
    assert!(oddities(&change)[0].1.contains("several kinds"));
    let plan = read(&change).unwrap().plan;
    assert_eq!(plan.zones[0].rows[0].seats[0].kind, SeatKind::Wheelchair);
}

#[test]
fn one_chair_twice_is_one_seat_and_the_copy_is_told() {
    let copy = r#""seat_number":"1","seat_guid":"a","position":{"x":0,"y":0}"#;
    let changes = [(r#""seat_number":"2","seat_guid":"b","position":{"x":25.004,"y":0}"#, copy)];
    let told = "seat 1 is there twice, on one spot and with one guid: the copy was left out".to_owned();
    assert_eq!(oddities(&changes), [("zones[0].rows[0].seats[1]".to_owned(), told)]);
    let plan = read(&changes).unwrap().plan;
    assert_eq!(plan.seats().map(|(_, seat)| seat.name.as_str()).collect::<Vec<_>>(), ["A1"]);
    // only the guid is the same
    assert_eq!(read(&[(r#""b""#, r#""a""#)]).unwrap().plan.seats().count(), 2);
}

#[test]
fn a_ticket_has_the_words_of_the_row_for_its_seats() {
    let words = |keys: &str, more: &[(&str, &str)]| {
        let keyed = format!(r#""row_number":"A",{keys}"#);
        let changes = [&[(r#""row_number":"A","#, keyed.as_str())], more].concat();
        assert_eq!(oddities(&changes), []);
        let plan = read(&changes).unwrap().plan;
        plan.seats().map(|(at, _)| plan.ticket_words(at)).collect::<Vec<_>>()
    };
    let both = r#""row_label":"Row %s","seat_label":"Chair %s","#;
    assert_eq!(words(both, &[]), ["Row A, Chair 1", "Row A, Chair 2"]);
    assert_eq!(words(r#""row_label":"Box","#, &[]), ["Box, Seat 1", "Box, Seat 2"]);
    assert_eq!(words(r#""seat_label":"Chair %s","#, &[]), ["Row A, Chair 1", "Row A, Chair 2"]);
    assert_eq!(words("", &[]), ["Seat A1", "Seat A2"]);
}

#[test]
fn words_that_are_not_as_unique_as_the_name_are_not_used() {
    let labels = (r#""row_number":"A","#, r#""row_number":"A","row_label":"Row %s","#);
    let twice = [labels, (r#""seat_number":"2""#, r#""seat_number":"1""#)];
    let plan = read(&twice).unwrap().plan;
    let words: Vec<String> = plan.seats().map(|(at, _)| plan.ticket_words(at)).collect();
    assert_eq!(words, ["Seat Stalls/1/A/1", "Seat Stalls/1/A/1#2"]);
}

#[test]
fn two_seats_on_one_spot_are_odd() {
    let odd = oddities(&[(r#"{"x":25.004,"y":0}"#, r#"{"x":0.001,"y":0}"#)]);
    let expected = ("zones[0].rows[0].seats[1]".to_owned(), "it stands on the spot of another seat".to_owned());
    assert_eq!(odd, [expected]);
}

#[test]
fn a_broken_file_is_refused_with_line_and_column() {
    let cut = file(&[]).get(..300).unwrap().to_owned();
    let Err(PlanError::NotJson { line, .. }) = import(cut.as_bytes(), Strictness::Lenient) else {
        panic!("a file that is cut off was read");
    };
    assert_eq!(line, 5);
    assert!(matches!(read(&[("25.004", "1e999")]), Err(PlanError::NotJson { .. })));
    assert_eq!(import(b" \n", Strictness::Lenient).unwrap_err(), PlanError::Empty);
    assert!(import(b"\xff\xfe{}", Strictness::Lenient).is_err());
}

#[test]
fn a_foreign_file_is_refused_with_the_place() {
    let place = |text: &str| match import(text.as_bytes(), Strictness::Lenient) {
        Err(PlanError::Foreign { place, .. }) => place,
        other => panic!("{other:?}"),
    };
    assert_eq!(place("[]"), "the plan");
    assert_eq!(place("{}"), "zones");
    assert_eq!(place(r#"{"zones":[7]}"#), "zones[0]");
    assert_eq!(place(r#"{"zones":[{"rows":[{"seats":{}}]}]}"#), "zones[0].rows[0].seats");
    assert_eq!(place(&file(&[(r#""x":25.004"#, r#""x":"right""#)])), "zones[0].rows[0].seats[1].position.x");
}

#[test]
fn a_seat_of_an_unknown_category_is_refused_and_one_without_gets_the_standard_one() {
    let unknown = read(&[(r#""category":"One"},"#, r#""category":"Gold"},"#)]).unwrap_err();
    assert_eq!(
        unknown,
        PlanError::UnknownCategory { place: "zones[0].rows[0].seats[0]".to_owned(), name: "Gold".to_owned() }
    );
    let without = read(&[(r#","category":"One"},"#, "},")]).unwrap();
    let (plan, seats) = (&without.plan, &without.plan.zones[0].rows[0].seats);
    assert_eq!(plan.categories[usize::from(seats[0].category)].name, "Standard");
    assert_eq!((seats[1].category, without.oddities.len()), (0, 1));
}

#[test]
fn positions_that_no_house_has_are_refused() {
    for far in ["1e7", "-2000000", "1e300"] {
        let refused = read(&[("25.004", far)]).unwrap_err();
        assert_eq!(refused, PlanError::FarAway { place: "zones[0].rows[0].seats[1]".to_owned() });
    }
}

#[test]
fn a_plan_without_seats_and_one_with_too_many_are_refused() {
    let empty = r#"{"name":"x","categories":[],"zones":[]}"#;
    assert_eq!(import(empty.as_bytes(), Strictness::Lenient).unwrap_err(), PlanError::NoSeats);
    let seat = r#"{"seat_number":"1","position":{"x":0,"y":0},"category":"One"},"#;
    let many = seat.repeat(ROW_SEATS_MAX + 1);
    let refused = read(&[(r#""seats":["#, &format!(r#""seats":[{many}"#))]).unwrap_err();
    let sentence = refused.to_string();
    let wanted =
        "Row A at zones[0].rows[0] has more than 2000 seats. Cut it into rows with labels of their own, such as";
    assert!(sentence.starts_with(wanted), "{sentence}");
}

#[test]
fn names_from_outside_are_cleaned() {
    let changes = [(r#""name":"Stalls""#, r#""name":"\u001b[2JSt\u202ealls, left""#)];
    let plan = read(&changes).unwrap().plan;
    assert_eq!(plan.zones[0].name, "[2JStalls, left");
    assert_eq!(oddities(&changes)[0].0, "zones[0]");
}

#[test]
fn refusals_are_sentences_that_say_what_to_do() {
    for refused in [
        read(&[("25.004", "1e7")]).unwrap_err(),
        import(b"{", Strictness::Lenient).unwrap_err(),
        import(b"{}", Strictness::Lenient).unwrap_err(),
    ] {
        let sentence = refused.to_string();
        assert!(sentence.ends_with('.') && sentence.len() > 40, "{sentence}");
    }
}

//! The published examples of the help, run as people paste them.

use crate::support::{House, Ran, ZONE};

/// The blocks to paste of a topic.
fn blocks(topic: &str) -> Vec<String> {
    let parts = topic.split("```sh\n").skip(1);
    parts.map(|part| part.split("```").next().unwrap().to_owned()).collect()
}

/// Runs a block with this build's binary; a line that fails ends it.
fn paste(block: &str) -> Ran {
    let house = House::none();
    let folder = std::path::Path::new(env!("CARGO_BIN_EXE_willcall")).parent().unwrap();
    let path = format!("{}:{}", folder.display(), std::env::var("PATH").unwrap());
    let output = std::process::Command::new("sh")
        .args(["-e", "-c", block])
        .env_clear()
        .env("HOME", house.folder.path())
        .env("TMPDIR", house.folder.path())
        .env("USER", "ada")
        .env("TZ", ZONE)
        .env("PATH", path)
        .output()
        .unwrap();
    Ran::of(block, output)
}

fn example(word: &str) -> Ran {
    let all = blocks(include_str!("../../assets/help/examples.md"));
    let found = all.iter().find(|block| block.contains(word));
    paste(found.unwrap_or_else(|| panic!("no example has {word}")))
}

#[test]
fn the_meeting_room_refuses_the_second_user() {
    let ran = example("Meeting room");
    let text = ran.text();
    assert!(text.contains("refused: exit code 3"), "{text}");
    assert!(text.contains("Yes: Meeting room is free"), "{text}");
    assert!(text.contains("meeting-room_2030_12_02"), "{text}");
    assert!(ran.err.contains("User A"), "{}", ran.err);
}

#[test]
fn a_floor_is_sold_by_the_number_and_nothing_has_one() {
    let ran = example("The Barn");
    let text = ran.text();
    assert!(text.contains("Floor, 2 standing"), "{text}");
    assert!(text.contains("Floor, 4 standing"), "{text}");
    assert!(text.contains("refused: exit code 3"), "{text}");
    assert!(ran.err.contains("Of Floor 96 are left, not 996."), "{}", ran.err);
    assert!(text.contains("Floor, standing: 48 of 50 free"), "{text}");
}

#[test]
fn an_unshipped_order_is_looked_at_again_and_done() {
    let ran = example("order-77");
    let text = ran.text();
    assert!(text.contains("order_shipped order-77: again (looks again "), "{text}");
    assert!(text.contains("checks: 1"), "{text}");
    assert!(text.contains("order_shipped order-77: done"), "{text}");
    assert!(text.contains("KIND"), "{text}");
}

#[test]
fn apartment_x_shows_seven_periods() {
    let ran = example("Apartment X");
    let text = ran.text();
    let table = text.split("RESOURCE     WHEN").last().unwrap();
    let periods: Vec<&str> = table.lines().filter(|line| line.starts_with("Apartment X")).collect();
    assert_eq!(periods.len(), 7, "{table}");
    assert!(periods[2].contains("booked") && periods[2].contains("John Smith"), "{table}");
}

#[test]
fn a_room_of_the_hotel_is_taken_each_of_its_nights_both_ways() {
    let ran = example("hotel_1");
    let text = ran.text();
    let lines: Vec<&str> = text.lines().filter(|line| line.contains("rooms available on")).collect();
    assert!(lines.len() == 4 && lines.iter().all(|line| line.contains(" 9 rooms available")), "{text}");
    for (free, taken) in [("room_1 room_2 room_3", "room_0"), ("room_0 room_2 room_3", "room_1")] {
        let told = text.lines().filter(|line| line.starts_with(&format!("  {free}")) && !line.contains(taken));
        assert_eq!(told.count(), 2, "both ways: {text}");
    }
    assert!(lines[2].contains(" 20 rows read"), "{text}");
}

#[test]
fn the_car_asks_first() {
    let ran = example("Car 1");
    assert_eq!(ran.text().matches("refused: exit code 3").count(), 3, "{}", ran.out);
    assert!(ran.text().contains("relocation"));
}

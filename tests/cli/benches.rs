//! The published comparison of a hotel, asked both ways.

use serde_json::Value;

use crate::support::House;

#[test]
fn both_ways_of_asking_a_hotel_name_the_same_rooms() {
    let house = House::none();
    let free = |line: &str| -> (usize, Value) {
        let report = house.json(line).done();
        assert_eq!(report["same_rooms"], true);
        assert_eq!(report["verified"], true);
        // four rooms with a night each, and beside them every booking of the year
        assert_eq!(report["preallocated"]["rows_read"], 8);
        assert_eq!(report["by_subtracting"]["rows_read"], 4 + 4 * 15);
        let rooms = report["preallocated"]["rooms"].as_array().unwrap();
        (rooms.len(), report["date"].clone())
    };
    let (tonight, today) = free("bench hotel --rooms 4");
    assert_eq!(tonight, 0, "every room is booked tonight");
    let today: chrono::NaiveDate = today.as_str().unwrap().parse().unwrap();
    let later = |nights| today + chrono::Days::new(nights);
    assert_eq!(
        free(&format!("bench hotel --rooms 4 --date {}", later(1))).0,
        4
    );
    assert_eq!(
        free(&format!("bench hotel --rooms 4 --date {}", later(25))).0,
        0
    );
}

#[test]
fn every_way_to_keep_a_calendar_books_and_answers_the_same() {
    let report = House::none()
        .json("bench calendar --resources 12 --bookings 3000")
        .done();
    assert!(report["refused"].as_u64().unwrap() > 0, "{report}");
    let size = |name: &str| report[name].as_u64().unwrap();
    assert!(
        size("days_size") > size("days_text_size") && size("days_index_size") == 0,
        "whole pages, and days lie by their keys: {report}"
    );
    let controls = report["controls"].as_array().unwrap();
    assert!(!controls.is_empty());
    for control in controls {
        assert_eq!(control["same_answers"], true, "{report:#}");
    }
}

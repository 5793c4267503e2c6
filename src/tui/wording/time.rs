//! Refusals about time: its holder, the interval, and the alternatives.

use crate::domain::refusal::{NotWhole, Refusal};
use crate::domain::time::{Instant, Slot, Span, Wall};

pub(super) fn about_time(refusal: &Refusal) -> Option<String> {
    about_slots(refusal).or_else(|| about_resources(refusal))
}

fn about_slots(refusal: &Refusal) -> Option<String> {
    let sentence = if let Refusal::DatesOverlap {
        resource,
        first,
        second,
        zone,
        nights,
    } = refusal
    {
        let (zone, nights) = (*zone, *nights);
        let wall = Wall { zone, nights };
        format!(
            "Its dates overlap one another: {resource} {} and {}. Make them shorter, or repeat it less often. Nothing was booked.",
            first.words(wall),
            second.words(wall)
        )
    } else if let Refusal::NoWholeSegment(not) = refusal {
        no_whole_segment(not)
    } else {
        return None;
    };
    Some(sentence)
}

fn no_whole_segment(not: &NotWhole) -> String {
    let NotWhole {
        resource,
        segment,
        from,
        until,
        whole,
        zone,
    } = not;
    let (zone, nights) = (*zone, *segment == Span::minutes(24 * 60));
    let wall = Wall { zone, nights };
    let named = when(*from, *until, wall);
    let instead = whole.words(wall);
    let why = if Slot::new(*from, *until) == Ok(*whole) {
        format!("The rest needs {named} of {resource} before or after it. Name more.")
    } else if nights {
        format!("{resource} is booked by the night: {named} is none. Name {instead}.")
    } else {
        format!("{resource} has segments of {segment}: {named} holds no whole one. Name {instead}.")
    };
    format!("{why} Nothing was changed.")
}

fn about_resources(refusal: &Refusal) -> Option<String> {
    let sentence = if let Refusal::NotOpen {
        resource,
        from,
        horizon,
        zone,
    } = refusal
    {
        let open = match horizon {
            Some(day) => format!("it is open to before {}", day.format("%a %-d %b %Y")),
            None => "none of its days is open".to_owned(),
        };
        format!(
            "{resource} is not open on {}: {open}. Choose an earlier day, or open more.",
            from.format(*zone, "%a %-d %b %Y")
        )
    } else if let Refusal::OutOfService {
        resource,
        from,
        operator,
        reason,
        cause,
        zone,
    } = refusal
    {
        let why = if reason.is_empty() || reason == cause {
            String::new()
        } else {
            format!(" ({reason})")
        };
        let since = from.format(*zone, "%a %-d %b %Y %H:%M");
        match cause.as_str() {
            "" | "out of service" => format!(
                "{resource} is out of service since {since}, by {operator}{why}. Take another, or put it back in service."
            ),
            cause => format!(
                "{resource} is out of use from {since} until further notice: {cause}, by {operator}{why}. Take another, or put it back into use."
            ),
        }
    } else if let Refusal::OutsideHours { resource, hours } = refusal {
        format!("{resource} is open {hours}. Choose a time within.")
    } else if let Refusal::RepeatedResource { resource } = refusal {
        format!("{resource} is named twice, or with what it is a part of. Name it once.")
    } else if let Refusal::BookingCanceled { title } = refusal {
        format!("{title} was canceled. Book it again.")
    } else if let Refusal::NotABooking { title } = refusal {
        format!("{title} is out of use, not booked. Put it back into use instead.")
    } else if let Refusal::HallOfPerformance { title } = refusal {
        format!("{title} has the hall. Cancel the performance, and the hall is free.")
    } else if let Refusal::WrongPolicy { resource, policy } = refusal {
        match policy.as_str() {
            "preallocated" => format!("The days of {resource} have to be opened first."),
            _ => format!(
                "The days of {resource} are always open; there is nothing to open or close."
            ),
        }
    } else if let Refusal::InService { resource } = refusal {
        format!("{resource} is in service; there is nothing to put back.")
    } else {
        return None;
    };
    Some(sentence)
}

pub(super) fn when(from: Instant, until: Instant, wall: Wall) -> String {
    Slot::new(from, until).map_or_else(|_| String::new(), |slot| slot.words(wall))
}

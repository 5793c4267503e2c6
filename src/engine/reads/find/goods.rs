//! Words of what a cart or a receipt has: performances and resources, with their times.

use std::fmt;

use crate::domain::line::{Goods, Line};
use crate::domain::text::clean;
use crate::engine::reads::Snapshot;
use crate::engine::reads::carts::{label, time};
use crate::engine::reads::find::{days, when};
use crate::engine::work::Failure;

/// Titles and times of what lines have, each performance and each time once, with one searchable text of all.
pub(super) fn goods(snapshot: &mut Snapshot<'_>, lines: &[Line]) -> Result<(Vec<GoodsTitle>, String), Failure> {
    let now = snapshot.now();
    let (mut titles, mut text): (Vec<GoodsTitle>, String) = (Vec::new(), String::new());
    for line in lines {
        let (title, when, day) = match &line.goods {
            Goods::Seats { performance, .. } => {
                let label = label(snapshot, *performance)?;
                let (when, day) = (when(&label, now), days(label.start, label.zone));
                (label.title, when, day)
            }
            Goods::Time { resource, wanted, taken } => {
                let time = time(snapshot, (resource, *wanted), taken)?;
                let (when, day) = (time.when(now), days(time.core.from(), time.wall.zone));
                (time.name, when, day)
            }
            Goods::Booking { .. } => continue,
        };
        let title = GoodsTitle { title, when, is_time: line.goods.is_time() };
        if !titles.contains(&title) {
            text = format!("{text} {} {day}", title.title);
            titles.push(title);
        }
    }
    Ok((titles, text))
}

/// Performance or resource of a line, with its time.
#[derive(PartialEq, Eq)]
pub(super) struct GoodsTitle {
    title: String,
    when: String,
    /// True for time of a resource.
    pub(super) is_time: bool,
}

impl fmt::Display for GoodsTitle {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "{} {}", clean(&self.title), self.when)
    }
}

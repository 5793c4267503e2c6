//! Shows a desk on a throw-away house.
use std::sync::Arc;
use willcall::domain::time::{Instant, Span};
use willcall::engine::ops::*;
use willcall::engine::{Actor, Config, Engine, Ticker};
use willcall::formats::{Strictness, pretix::import};
use willcall::store::sqlite::Missing;
fn main() {
    let mut args = std::env::args().skip(1);
    let path = args.next().unwrap();
    let station = args.next().unwrap_or("till-2".into());
    let plan = args.next();
    let mut config = Config::new(path.clone().into());
    config.missing = Missing::Create;
    config.ticker = Ticker::On;
    let fresh = !std::path::Path::new(&path).exists();
    let engine = Engine::open(config).unwrap();
    let desk = engine.desk(Actor {
        operator: if station == "till-2" {
            "ada".into()
        } else {
            "ben".into()
        },
        station,
    });
    if fresh {
        let bytes = std::fs::read(plan.unwrap_or("assets/demo/horseshoe.json".into())).unwrap();
        let imported = import(&bytes, Strictness::Lenient).unwrap();
        let plan = imported.plan;
        let cats: Vec<String> = plan.categories.iter().map(|c| c.name.clone()).collect();
        let theater = desk
            .run(AddTheater {
                name: "The Royal".into(),
                plan,
                time_zone: None,
            })
            .unwrap();
        desk.run(ChangeSettings {
            hold: Some(Span::minutes(3)),
            hold_cap: None,
            seats_max: None,
            currency: None,
            time_zone: None,
        })
        .unwrap();
        for (day, title) in ["Hamlet", "Jazz trio", "Family", "Hamlet"]
            .iter()
            .enumerate()
        {
            let start = Instant::from_millis((desk.now().millis() / 3_600_000) * 3_600_000)
                + Span::minutes(180 + 1440 * day as i64);
            let mut prices = vec![];
            for (i, c) in cats.iter().enumerate() {
                prices.push(NamedPrice {
                    category: Some(c.clone()),
                    ticket_type: None,
                    minor: 6800 - 1400 * i as i64,
                });
                prices.push(NamedPrice {
                    category: Some(c.clone()),
                    ticket_type: Some("Child".into()),
                    minor: 3400 - 700 * i as i64,
                });
            }
            desk.run(AddPerformance {
                theater: theater.id,
                title: (*title).into(),
                description: String::new(),
                start,
                end: start + Span::minutes(150),
                currency: None,
                prices,
            })
            .unwrap();
        }
    }
    let _ = Arc::new(0);
    willcall::tui::run(desk, Default::default()).unwrap();
}

//! `willcall init`: makes a house.

use std::fs;
use std::path::Path;
use std::sync::Arc;

use chrono_tz::Tz;
use clap::Args;

use crate::cli::answers::object;
use crate::cli::options::{Options, Place};
use crate::cli::out::{Out, Rendered};
use crate::cli::stop::{Cannot, Stop};
use crate::cli::{machine, values};
use crate::demo::{DemoClock, furnish};
use crate::domain::money::Currency;
use crate::engine::house_files::making;
use crate::engine::ops::ChangeSettings;
use crate::engine::reads::catalog::ReadSettings;
use crate::engine::{Actor, Config, Desk, Location, Missing, Role};

/// Examples of zones and of currencies, of which a new house may have one.
const ZONES: [&str; 2] = ["Europe/Paris", "America/New_York"];
const CURRENCIES: [&str; 2] = ["EUR", "USD"];

#[derive(Debug, Args)]
pub(super) struct Init {
    /// Fill it with the demo house
    #[arg(long, conflicts_with_all = ["time_zone", "currency"])]
    demo: bool,
    /// Its time zone (default: this machine's)
    #[arg(long, value_name = "ZONE")]
    time_zone: Option<String>,
    /// Its currency (default: that of the zone, as far as it is known, else EUR)
    #[arg(long, value_name = "CODE")]
    currency: Option<String>,
}

impl Init {
    pub(super) fn run(&self, options: &Options, out: &mut Out) -> Result<(), Stop> {
        let (actor, place) = (options.actor()?, options.place()?);
        let house = place.house();
        match there(&house)? {
            There::Nothing => {}
            There::House => return Err(Cannot::HouseExists(house).into()),
            There::Older => return out.answer(&moved(house)?),
        }
        make_folder(&place)?;
        let zone = values::some(self.time_zone.as_ref(), values::zone)?.unwrap_or_else(machine::zone);
        let currency = values::some(self.currency.as_ref(), values::currency)?;
        let currency = currency.unwrap_or_else(|| machine::currency(zone));
        let made = making(&house, || self.make(house.clone(), actor, (zone, currency)))?;
        out.answer(&made)
    }

    fn make(&self, house: Location, actor: Actor, begin: (Tz, Currency)) -> Result<Rendered, Stop> {
        let id = house.to_string();
        let desk = if self.demo { make_demo(house, actor)? } else { make_empty(house, actor, begin)? };
        let settings = desk.read(ReadSettings)?;
        let (zone, currency) = (settings.time_zone.to_string(), settings.currency.to_string());
        let mut lines = if self.demo {
            vec![format!("There is a house at {id} now. It has the demo house's theaters and performances.")]
        } else {
            vec![
                format!("There is a house at {id} now. Next: willcall theater add NAME --rows 5x16."),
                format!("Its time zone is {zone}. Another: willcall settings set time-zone {}", other(ZONES, &zone)),
                format!(
                    "Its prices are in {currency}. Others: willcall settings set currency {}",
                    other(CURRENCIES, &currency)
                ),
            ]
        };
        // features of a server
        let found = desk.findings()?;
        lines.extend(found.iter().cloned());
        let json = object! {
            "id": id,
            "demo": self.demo,
            "time_zone": zone,
            "currency": currency,
            ? "found": found,
        };
        Ok(Rendered::new(json, lines.join("\n  ")))
    }
}

/// The first example that a new house has not.
fn other<'e>(examples: [&'e str; 2], own: &str) -> &'e str {
    let [first, second] = examples;
    if own == first { second } else { first }
}

fn make_demo(house: Location, actor: Actor) -> Result<Desk, Stop> {
    let config = Config::new(house);
    let clock = Arc::new(DemoClock::over(Arc::clone(&config.clock)));
    let desk = Desk::open_with(Config { missing: Missing::Create, clock: Arc::<DemoClock>::clone(&clock), ..config })?;
    let desk = desk.with_actor(actor);
    furnish(&desk, &clock)?;
    Ok(desk)
}

pub(super) fn make_empty(house: Location, actor: Actor, (zone, currency): (Tz, Currency)) -> Result<Desk, Stop> {
    let config = Config { missing: Missing::Create, role: Role::Command, ..Config::new(house) };
    let desk = Desk::open_with(config)?.with_actor(actor);
    desk.run(ChangeSettings::to("time-zone", &zone).and("currency", &currency))?;
    Ok(desk)
}

/// Makes the house of the default place if it is missing, with this machine's zone and its money.
pub(super) fn make_missing(place: &Place, actor: &Actor) -> Result<(), Stop> {
    make_folder(place)?;
    let Place::Usual(path) = place else {
        return Ok(());
    };
    if has_file(path) {
        return Ok(());
    }
    let (house, zone) = (place.house(), machine::zone());
    making(&house, || make_empty(house.clone(), actor.clone(), (zone, machine::currency(zone)))).map(|_| ())
}

pub(super) fn has_file(path: &Path) -> bool {
    fs::metadata(path).is_ok_and(|file| file.is_file() && file.len() > 0)
}

/// Contents of the place of a new house.
pub(super) enum There {
    Nothing,
    House,
    /// A house on a server, made by an older program.
    Older,
}

pub(super) fn there(house: &Location) -> Result<There, Stop> {
    if let Location::File(path) = house
        && !has_file(path)
    {
        return Ok(There::Nothing);
    }
    let opened = Desk::open_with(Config { role: Role::Command, ..Config::new(house.clone()) });
    match opened {
        Ok(_) => Ok(There::House),
        Err(error) if error.is_missing() => Ok(There::Nothing),
        Err(error) if error.is_older() => Ok(There::Older),
        Err(error) => Err(error.into()),
    }
}

/// Moves a house on a server to this program.
fn moved(house: Location) -> Result<Rendered, Stop> {
    let id = house.to_string();
    Desk::open_with(Config { missing: Missing::Create, role: Role::Command, ..Config::new(house) })?;
    let people = format!(
        "The house at {id} is of this version now, and its journal begins anew. Seals of before are checked with the older willcall, on a backup of before."
    );
    Ok(Rendered::new(object! { "id": id, "moved": true }, people))
}

/// Makes the folder of the default place; a chosen place must have its folder.
pub(super) fn make_folder(place: &Place) -> Result<(), Stop> {
    let Place::Usual(path) = place else {
        return Ok(());
    };
    let Some(folder) = path.parent() else {
        return Ok(());
    };
    fs::create_dir_all(folder).map_err(|error| Cannot::Folder { path: path.clone(), problem: error.to_string() }.into())
}

//! `willcall init`: makes a house.

use std::fs;
use std::sync::Arc;

use clap::Args;

use crate::cli::answers::object;
use crate::cli::options::{Options, Place};
use crate::cli::out::{Out, Rendered};
use crate::cli::stop::{Cannot, Stop};
use crate::demo::{DemoClock, furnish};
use crate::engine::house_files::making;
use crate::engine::{Actor, Config, Desk, Location, Missing, Role};

#[derive(Debug, Args)]
pub(super) struct Init {
    /// Fill it with the demo house
    #[arg(long)]
    demo: bool,
}

impl Init {
    pub(super) fn run(&self, options: &Options, out: &mut Out) -> Result<(), Stop> {
        let (actor, place) = (options.actor()?, options.place()?);
        let house = place.house();
        if is_there(&house)? {
            return Err(Cannot::HouseExists(house).into());
        }
        make_folder(&place)?;
        let made = making(&house, || self.make(house.clone(), actor))?;
        out.answer(&made)
    }

    fn make(&self, house: Location, actor: Actor) -> Result<Rendered, Stop> {
        let id = house.to_string();
        let config = Config::new(house);
        let clock = Arc::new(DemoClock::over(Arc::clone(&config.clock)));
        let desk =
            Desk::open_with(Config { missing: Missing::Create, clock: Arc::<DemoClock>::clone(&clock), ..config })?;
        let next = if self.demo {
            furnish(&desk.with_actor(actor), &clock)?;
            "It has the demo house's theaters and performances"
        } else {
            "Next: willcall theater add NAME --rows 5x16"
        };
        // features of a server
        let found = desk.findings()?;
        let mut lines = vec![format!("There is a house at {id} now. {next}.")];
        lines.extend(found.iter().cloned());
        let json = object!("id": id, "demo": self.demo, ? "found": found);
        Ok(Rendered::new(json, lines.join("\n  ")))
    }
}

/// True where a house already exists.
fn is_there(house: &Location) -> Result<bool, Stop> {
    if let Location::File(path) = house
        && !fs::metadata(path).is_ok_and(|file| file.is_file() && file.len() > 0)
    {
        return Ok(false);
    }
    let opened = Desk::open_with(Config { role: Role::Command, ..Config::new(house.clone()) });
    match opened {
        Ok(_) => Ok(true),
        Err(error) if error.is_missing() => Ok(false),
        Err(error) => Err(error.into()),
    }
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

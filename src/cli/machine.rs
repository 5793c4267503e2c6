//! The machine's time zone, and the money that is used there: what a new house begins with.

use std::fs;

use chrono_tz::Tz;

use crate::domain::money::Currency;

/// The link that names the machine's zone.
const LOCAL: &str = "/etc/localtime";

/// Folder of zones, before the name of one.
const ZONES: &str = "zoneinfo/";

/// Currencies by the names of zones; a zone that is not here has the euro.
const MONEY: &[(&str, &str)] = &[
    ("GBP", "Europe/London Europe/Belfast Europe/Guernsey Europe/Isle_of_Man Europe/Jersey GB"),
    ("CHF", "Europe/Zurich Europe/Vaduz Europe/Busingen"),
    ("SEK", "Europe/Stockholm"),
    ("NOK", "Europe/Oslo Arctic/Longyearbyen"),
    ("DKK", "Europe/Copenhagen Atlantic/Faroe America/Nuuk America/Godthab"),
    ("ISK", "Atlantic/Reykjavik"),
    ("PLN", "Europe/Warsaw Poland"),
    ("CZK", "Europe/Prague"),
    ("HUF", "Europe/Budapest"),
    ("RON", "Europe/Bucharest"),
    ("RSD", "Europe/Belgrade"),
    ("BAM", "Europe/Sarajevo"),
    ("MKD", "Europe/Skopje"),
    ("ALL", "Europe/Tirane"),
    ("MDL", "Europe/Chisinau"),
    ("UAH", "Europe/Kyiv Europe/Kiev"),
    ("TRY", "Europe/Istanbul Asia/Istanbul Turkey"),
    ("GEL", "Asia/Tbilisi"),
    ("AMD", "Asia/Yerevan"),
    ("AZN", "Asia/Baku"),
    ("ILS", "Asia/Jerusalem Asia/Tel_Aviv Israel"),
    ("AED", "Asia/Dubai"),
    ("SAR", "Asia/Riyadh"),
    ("QAR", "Asia/Qatar"),
    ("EGP", "Africa/Cairo Egypt"),
    ("MAD", "Africa/Casablanca"),
    ("NGN", "Africa/Lagos"),
    ("KES", "Africa/Nairobi"),
    ("ZAR", "Africa/Johannesburg"),
    ("INR", "Asia/Kolkata Asia/Calcutta"),
    ("PKR", "Asia/Karachi"),
    ("BDT", "Asia/Dhaka"),
    ("LKR", "Asia/Colombo"),
    ("NPR", "Asia/Kathmandu"),
    ("CNY", "Asia/Shanghai Asia/Urumqi PRC"),
    ("HKD", "Asia/Hong_Kong Hongkong"),
    ("TWD", "Asia/Taipei ROC"),
    ("JPY", "Asia/Tokyo Japan"),
    ("KRW", "Asia/Seoul ROK"),
    ("SGD", "Asia/Singapore Singapore"),
    ("MYR", "Asia/Kuala_Lumpur Asia/Kuching"),
    ("THB", "Asia/Bangkok"),
    ("VND", "Asia/Ho_Chi_Minh Asia/Saigon"),
    ("PHP", "Asia/Manila"),
    ("IDR", "Asia/Jakarta Asia/Pontianak Asia/Makassar Asia/Jayapura"),
    (
        "AUD",
        "Australia/Sydney Australia/Melbourne Australia/Brisbane Australia/Perth Australia/Adelaide Australia/Hobart \
         Australia/Darwin Australia/Canberra",
    ),
    ("NZD", "Pacific/Auckland Pacific/Chatham NZ"),
    (
        "USD",
        "America/New_York America/Detroit America/Chicago America/Denver America/Phoenix America/Los_Angeles \
         America/Anchorage America/Juneau America/Boise America/Indiana/Indianapolis America/Indianapolis \
         America/Kentucky/Louisville America/Menominee America/Puerto_Rico America/El_Salvador America/Guayaquil \
         America/Panama Pacific/Honolulu US/Eastern US/Central US/Mountain US/Pacific US/Arizona US/Alaska US/Hawaii",
    ),
    (
        "CAD",
        "America/Toronto America/Montreal America/Vancouver America/Edmonton America/Winnipeg America/Halifax \
         America/St_Johns America/Regina America/Moncton America/Whitehorse America/Yellowknife America/Iqaluit",
    ),
    ("MXN", "America/Mexico_City America/Monterrey America/Tijuana America/Cancun America/Merida America/Hermosillo"),
    ("BRL", "America/Sao_Paulo America/Bahia America/Fortaleza America/Recife America/Manaus America/Belem"),
    ("ARS", "America/Argentina/Buenos_Aires America/Buenos_Aires America/Argentina/Cordoba"),
    ("CLP", "America/Santiago"),
    ("COP", "America/Bogota"),
    ("PEN", "America/Lima"),
    ("UYU", "America/Montevideo"),
    ("CRC", "America/Costa_Rica"),
    ("DOP", "America/Santo_Domingo"),
];

/// The machine's time zone: that of `TZ`, else of its clock; UTC where neither names one.
pub(super) fn zone() -> Tz {
    let said = std::env::var("TZ").ok().and_then(|name| named(&name));
    let linked = || named(&fs::canonicalize(LOCAL).ok()?.to_string_lossy());
    said.or_else(linked).unwrap_or(Tz::UTC)
}

/// A zone by its name, or by its file: `Europe/Paris`, `:/usr/share/zoneinfo/Europe/Paris`.
fn named(text: &str) -> Option<Tz> {
    let name = text.split_once(ZONES).map_or(text, |(_, name)| name);
    name.trim_start_matches(':').parse().ok()
}

/// The currency that is used in a zone, as far as it is known; else the euro.
pub(super) fn currency(zone: Tz) -> Currency {
    let is_there = |(_, zones): &&(&str, &str)| zones.split_whitespace().any(|name| name == zone.name());
    let known = MONEY.iter().find(is_there).and_then(|(code, _)| code.parse().ok());
    known.unwrap_or(Currency::EUR)
}

#[cfg(test)]
mod tests {
    use chrono_tz::{America, Asia, Europe, Tz};

    use super::{MONEY, currency, named};

    #[test]
    fn a_zone_is_known_by_its_name_and_by_its_file() {
        assert_eq!(named("Europe/Paris"), Some(Europe::Paris));
        assert_eq!(named(":/usr/share/zoneinfo/America/New_York"), Some(America::New_York));
        assert_eq!(named("/var/db/timezone/zoneinfo/Asia/Tokyo"), Some(Asia::Tokyo));
        assert_eq!(named("/usr/share/zoneinfo/Etc/UTC"), Some(Tz::Etc__UTC));
        assert_eq!(named("/etc/localtime"), None);
        assert_eq!(named("CET-1CEST"), None);
    }

    #[test]
    fn a_zone_has_its_money_and_the_euro_where_none_is_known() {
        let money = |zone: Tz| currency(zone).to_string();
        assert_eq!(money(America::New_York), "USD");
        assert_eq!(money(Europe::London), "GBP");
        assert_eq!(money(Europe::Dublin), "EUR");
        assert_eq!(money(Tz::Etc__UTC), "EUR");
        for (code, zones) in MONEY {
            for name in zones.split_whitespace() {
                assert_eq!(money(name.parse().unwrap()), *code, "{name}");
            }
        }
    }
}

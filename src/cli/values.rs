//! Parsers for typed values: money, times, seats. A refusal says what to write instead.

pub(super) use crate::domain::typed::{count, currency, money, span, zone};

use ratatui::layout::Size;

use crate::domain::back::{BackPart, Share};
use crate::domain::correction::BackBy;
use crate::domain::customer::Customer;
use crate::domain::money::{Currency, Price};
use crate::domain::receipt::{Tender, reads_as_amount};
use crate::domain::refusal::{CountRefusal, Refusal};
use crate::domain::resource::Resource;
use crate::engine::ops::Whose;
use crate::engine::reads::Listed;

/// Refuses a value that cannot be parsed.
pub(super) fn bad(field: &str, problem: impl std::fmt::Display) -> Refusal {
    Refusal::unread(field, &problem)
}

/// The largest picture or recording, in columns and rows.
const CELLS_MAX: u16 = 400;

/// Columns and rows of a picture: `120x36`.
pub(super) fn size(text: &str) -> Result<Size, Refusal> {
    let sides = text.split_once('x');
    let sides = sides.and_then(|(width, height)| Some((width.parse().ok()?, height.parse().ok()?)));
    let whole = sides.filter(|&(width, height)| width <= CELLS_MAX && height <= CELLS_MAX);
    let size = whole.map(|(width, height)| Size::new(width, height));
    size.ok_or_else(|| bad("size", format!("say columns and rows up to {CELLS_MAX}x{CELLS_MAX}, like 120x36")))
}

/// Parses a value that may be left out.
pub(super) fn some<T, E>(text: Option<&String>, parse: impl FnOnce(&str) -> Result<T, E>) -> Result<Option<T>, E> {
    text.map(|text| parse(text)).transpose()
}

/// A customer with changed name, phone and mail; `None` where none is said. The mail of another customer stays his.
pub(super) fn customer([name, phone, mail]: [Option<&String>; 3], before: Customer) -> Option<Customer> {
    (name.is_some() || phone.is_some() || mail.is_some()).then(|| Customer {
        name: name.cloned().unwrap_or(before.name),
        phone: phone.cloned().unwrap_or(before.phone),
        mail: mail.cloned().unwrap_or_default(),
    })
}

/// Operators whose acts may be taken back.
pub(super) const fn whose(anybody: bool) -> Whose {
    if anybody { Whose::Anybody } else { Whose::Mine }
}

/// Members that a list has.
pub(super) const fn listed(retired: bool) -> Listed {
    if retired { Listed::Retired } else { Listed::InUse }
}

/// A price in a currency, if one is said.
pub(super) fn own_price(text: Option<&String>, currency: Currency) -> Result<Option<Price>, Refusal> {
    let minor = some(text, |text| money("price", text, currency))?;
    Ok(minor.map(|minor| Price { minor, currency }))
}

/// The number of a line, bare or behind its cart: `2`, `CART/2`.
pub(super) fn line(text: &str) -> Result<u32, Refusal> {
    let number = text.rsplit_once('/').map_or(text, |(_, number)| number);
    number.trim().parse().map_err(|_| Refusal::UnknownLine { line: text.to_owned() })
}

/// Names of seats, parted by commas.
pub(super) fn seats(texts: &[String]) -> Result<Vec<String>, Refusal> {
    let names: Vec<String> = texts
        .iter()
        .flat_map(|text| text.split(','))
        .map(str::trim)
        .filter(|name| !name.is_empty())
        .map(str::to_owned)
        .collect();
    if names.is_empty() { Err(Refusal::NothingChosen) } else { Ok(names) }
}

/// Parses means of paying back: `as-paid`, or any of `cash`, `cash=5.00`, `card=REF`, `card=REF:5.00`, `owed`, `owed=5.00`.
pub(super) fn back(texts: &[String], currency: Currency) -> Result<Vec<BackPart>, Refusal> {
    if texts.iter().all(|text| text.trim().eq_ignore_ascii_case("as-paid")) {
        return Ok(Vec::new());
    }
    texts.iter().map(|text| back_part(text, currency)).collect()
}

/// Share of what was paid that goes back: all, an amount, or all but a fee.
pub(super) fn share((amount, keep): (Option<&String>, Option<&String>), currency: Currency) -> Result<Share, Refusal> {
    Ok(match (amount, keep) {
        (Some(amount), _) => Share::Only(money("amount", amount, currency)?),
        (None, Some(keep)) => Share::AllBut(money("keep", keep, currency)?),
        (None, None) => Share::All,
    })
}

fn back_part(text: &str, currency: Currency) -> Result<BackPart, Refusal> {
    let (means, rest) = text.split_once('=').unwrap_or((text, ""));
    let amount = |text: &str| match text.trim() {
        "" => Ok(None),
        text => money("back", text, currency).map(Some),
    };
    match means.trim().to_lowercase().as_str() {
        "cash" => Ok(BackPart { by: BackBy::Cash, minor: amount(rest)? }),
        "owed" => Ok(BackPart { by: BackBy::Owed, minor: amount(rest)? }),
        "card" => {
            let (reference, charged) = rest.rsplit_once(':').unwrap_or((rest, ""));
            let by = BackBy::Card { reference: reference.trim().to_owned() };
            Ok(BackPart { by, minor: amount(charged)? })
        }
        _ => Err(bad("back", format!("{text:?} gives nothing back; write it like as-paid, cash, card=REF or owed"))),
    }
}

/// Parses a payment: `cash=30.00`, `cash`, `card=REF:12.00`, `card=REF`, `owed=CODE:20.00`, `owed=CODE`.
pub(super) fn tender(text: &str, currency: Currency) -> Result<Tender, Refusal> {
    let (means, rest) = text.split_once('=').unwrap_or((text, ""));
    let amount = |text: &str| match text.trim() {
        "" => Ok(None),
        text => money("pay", text, currency).map(Some),
    };
    match means.trim().to_lowercase().as_str() {
        "cash" => Ok(Tender::Cash { given: amount(rest)? }),
        "card" => {
            let (reference, charged) = rest.rsplit_once(':').unwrap_or((rest, ""));
            if charged.trim().is_empty() && reads_as_amount(reference, currency) {
                let problem = format!("{text:?} reads as an amount; write card=REFERENCE or card=REFERENCE:AMOUNT");
                return Err(bad("pay", problem));
            }
            Ok(Tender::Card { reference: reference.trim().to_owned(), charged: amount(charged)? })
        }
        "owed" => {
            let (code, paid) = rest.rsplit_once(':').unwrap_or((rest, ""));
            let credit = code.parse();
            Ok(Tender::Owed { credit: credit.map_err(|error| Refusal::unread("pay", &error))?, amount: amount(paid)? })
        }
        _ => Err(bad(
            "pay",
            format!("{text:?} is no payment; write it like cash=30.00, card=REF:12.00 or owed=CODE:20.00"),
        )),
    }
}

/// Parses a number of units of a resource: `40`, `40 chairs`.
pub(super) fn units(resource: &Resource, text: &str) -> Result<u32, Refusal> {
    match &resource.count {
        Some(count) => count.of_these(text).map_err(|error| bad("count", error)),
        None => Err(CountRefusal::NotCounted { resource: resource.name.clone() }.into()),
    }
}

#[cfg(test)]
mod tests {
    use super::{seats, tender};
    use crate::domain::back::BackPart;
    use crate::domain::correction::BackBy;
    use crate::domain::money::Currency;
    use crate::domain::receipt::Tender;
    use crate::domain::refusal::Refusal;
    use crate::engine::ops::NamedPrice;
    use crate::formats::rows;

    fn named(text: &str) -> (Option<String>, Option<String>, i64) {
        let price = NamedPrice::read(text, Currency::EUR, &rows::parse("1x1").unwrap()).unwrap();
        (price.category, price.ticket_type, price.minor)
    }

    #[test]
    fn a_price_is_for_all_for_a_category_or_for_a_type_of_it() {
        let text = |text: &str| Some(text.to_owned());
        assert_eq!(named("10.00"), (None, None, 1000));
        assert_eq!(named("Standard=10"), (text("Standard"), None, 1000));
        assert_eq!(named("Standard/Child=5,50"), (text("Standard"), text("Child"), 550));
        assert_eq!(named("*/Child=5"), (None, text("Child"), 500));
        assert_eq!(named("/Child=5"), (None, text("Child"), 500));
    }

    #[test]
    fn a_payment_names_its_means_and_may_leave_the_amount_to_the_desk() {
        let tender = |text| tender(text, Currency::EUR);
        assert_eq!(tender("cash"), Ok(Tender::Cash { given: None }));
        assert_eq!(tender("cash=30.00"), Ok(Tender::Cash { given: Some(3000) }));
        let card = |reference: &str, charged| Ok(Tender::Card { reference: reference.into(), charged });
        assert_eq!(tender("card=A7:12.00"), card("A7", Some(1200)));
        assert_eq!(tender("card=4711:12.00"), card("4711", Some(1200)));
        assert_eq!(tender("card=A7"), card("A7", None));
        assert_eq!(tender("card"), card("", None));
        for wrong in ["card=12.00", "card=30", "card=5:", "cheque=3", "cash=much", "card=A7:much", "cash=-3"] {
            assert!(matches!(tender(wrong), Err(Refusal::BadValue { .. })), "{wrong}");
        }
    }

    #[test]
    fn money_goes_back_as_it_was_paid_or_by_named_means() {
        let back = |text: &str| super::back(&text.split(' ').map(str::to_owned).collect::<Vec<_>>(), Currency::EUR);
        assert_eq!((super::back(&[], Currency::EUR), back("as-paid")), (Ok(vec![]), Ok(vec![])));
        let part = |by, minor| BackPart { by, minor };
        let card = BackBy::Card { reference: "R1".into() };
        assert_eq!(back("card=R1:4.00 cash"), Ok(vec![part(card, Some(400)), part(BackBy::Cash, None)]));
        assert_eq!(back("owed=5 cash=1"), Ok(vec![part(BackBy::Owed, Some(500)), part(BackBy::Cash, Some(100))]));
        for wrong in ["voucher", "as-paid cash", "cash=much", "owed=CODE", "card=R1:-3"] {
            assert!(matches!(back(wrong), Err(Refusal::BadValue { .. })), "{wrong}");
        }
    }

    #[test]
    fn seats_are_parted_by_commas_and_none_is_no_choice() {
        assert_eq!(seats(&["B6, B7".into(), "C1".into()]), Ok(vec!["B6".into(), "B7".into(), "C1".into()]));
        assert_eq!(seats(&[" ,".into()]), Err(Refusal::NothingChosen));
    }
}

//! Request of a command: its verb and input as the journal has them, and the customer it tells.
//!
//! The journal has no name and no phone: it has the id of the customer's record, and a seal over the text with the
//! record's salt; the hash of a typed line that names the customer is sealed, too. A request sent again with another text
//! is another request; once the record is deleted, the text cannot be found from the seal.

use crate::domain::customer::{Customer, CustomerRecord};
use crate::engine::work::Operation;
use crate::store::journal::hash;

/// Start of the hash of a typed line, at the end of a request; cannot occur inside a JSON string.
const LINE: &str = r#""line":""#;

/// Start of a customer's id and seal, before the line.
const CUSTOMER: &str = r#""customer":""#;

/// Separates the hash of a line from the hash of a file, and an id from a seal.
const POINT: char = '.';

/// Joins the hash of a typed line and that of the file it reads: the same line with other contents
/// is a different request.
#[must_use]
pub fn line_with_file(line: &str, contents: &str) -> String {
    format!("{line}{POINT}{contents}")
}

/// Request of a command.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Request {
    verb: &'static str,
    /// Input as JSON, without its braces.
    contents: String,
    customer: Option<Customer>,
    line: Option<String>,
}

impl Request {
    /// Builds the request of an operation.
    pub(crate) fn of<O: Operation>(operation: &O) -> Self {
        let contents = serde_json::to_string(operation).unwrap_or_default();
        let inside = contents.strip_prefix('{');
        let inside = inside.and_then(|contents| contents.strip_suffix('}'));
        Self {
            verb: O::VERB,
            contents: inside.unwrap_or_default().to_owned(),
            customer: operation.customer().cloned(),
            line: None,
        }
    }

    /// Adds the hash of the typed line.
    pub(crate) fn add_line(&mut self, line: &str) {
        self.line = Some(line.to_owned());
    }

    /// Text for the journal, with the record of the customer that was told.
    pub(crate) fn text(&self, record: Option<&CustomerRecord>) -> String {
        let customer = record.map(|record| {
            let (id, seal) = (record.id, self.seal(record));
            format!("{CUSTOMER}{id}{POINT}{seal}\"")
        });
        let line = self.line(record).map(|line| format!("{LINE}{line}\""));
        let mut text = format!(r#"{{"{}":{{{}"#, self.verb, self.contents);
        for member in [customer, line].into_iter().flatten() {
            if !text.ends_with('{') {
                text.push(',');
            }
            text.push_str(&member);
        }
        text.push_str("}}");
        text
    }

    fn seal(&self, record: &CustomerRecord) -> String {
        let (name, phone) = match &self.customer {
            Some(customer) => (customer.name.as_str(), customer.phone.as_str()),
            None => ("", ""),
        };
        sealed(record, [name, phone])
    }

    /// Hash of the typed line, sealed if it names a customer.
    fn line(&self, record: Option<&CustomerRecord>) -> Option<String> {
        let line = self.line.as_deref()?;
        let Some(record) = record else {
            return Some(line.to_owned());
        };
        let (typed, file) = line.split_at(line.find(POINT).unwrap_or(line.len()));
        Some(sealed(record, [typed]) + file)
    }

    /// Compares it with the request of a completed command, whose customer has this record: by the typed line, or else by
    /// its input and its customer; and always by the file read.
    pub(crate) fn is_same(&self, done: &DoneRequest<'_>, record: Option<&CustomerRecord>) -> bool {
        let line = self.line(record);
        let line = line.as_deref();
        let told = self.customer.as_ref().is_some_and(|customer| !customer.is_unknown());
        let customer = match (done.customer, record) {
            (None, _) => !told,
            (Some((_, seal)), Some(record)) => told && seal == self.seal(record),
            // a deleted record leaves nothing to compare with
            (Some(_), None) => told,
        };
        self.verb == done.verb
            && file_of(line) == file_of(done.line)
            && (line.is_some() && line == done.line || self.contents == done.contents && customer)
    }
}

/// Hash of texts that cannot be guessed without the salt of a customer's record.
fn sealed<const N: usize>(record: &CustomerRecord, texts: [&str; N]) -> String {
    let salt = std::iter::once(record.salt.as_str());
    hash::spell(hash::of_parts([], salt.chain(texts)))
}

/// Parts of a request in the journal.
pub(crate) struct DoneRequest<'a> {
    verb: &'a str,
    contents: &'a str,
    /// Id and seal.
    customer: Option<(&'a str, &'a str)>,
    line: Option<&'a str>,
}

impl<'a> DoneRequest<'a> {
    /// Parses the text of [`Request::text`].
    pub(crate) fn read(text: &'a str) -> Self {
        let bare = text.strip_prefix("{\"").unwrap_or(text);
        let (verb, members) = bare.split_once("\":{").unwrap_or((bare, ""));
        let members = members.strip_suffix("}}").unwrap_or(members);
        let (rest, line) = last(members, LINE);
        let (contents, customer) = last(rest, CUSTOMER);
        Self { verb, contents, customer: customer.and_then(|customer| customer.split_once(POINT)), line }
    }

    /// Id of the customer's record.
    pub(crate) const fn customer(&self) -> Option<&'a str> {
        match self.customer {
            Some((id, _)) => Some(id),
            None => None,
        }
    }
}

/// Hash of the file that a typed line reads.
fn file_of(line: Option<&str>) -> Option<&str> {
    Some(line?.split_once(POINT)?.1)
}

/// Splits the last member off, if it has this start.
fn last<'a>(members: &'a str, start: &str) -> (&'a str, Option<&'a str>) {
    let Some((before, member)) = members.rsplit_once(start) else {
        return (members, None);
    };
    match member.strip_suffix('"').filter(|value| !value.contains('"')) {
        Some(value) => (before.trim_end_matches(','), Some(value)),
        None => (members, None),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::domain::ids::{CartId, CustomerId};
    use crate::engine::ops::{ExtendCart, NameCustomer};

    fn record(salt: &str) -> CustomerRecord {
        CustomerRecord {
            id: CustomerId::random(),
            salt: salt.into(),
            customer: Customer::default(),
            mail: String::new(),
            note: String::new(),
            gone: None,
        }
    }

    fn naming(cart: CartId, name: &str) -> Request {
        let customer = Customer { name: name.into(), phone: "555 0100".into() };
        Request::of(&NameCustomer { cart, customer })
    }

    #[test]
    fn a_request_has_no_name_and_is_the_same_only_with_it() {
        let (cart, record) = (CartId::random(), record("salt"));
        let text = naming(cart, "Ann").text(Some(&record));
        assert!(!text.contains("Ann") && !text.contains("0100"), "{text}");
        assert!(serde_json::from_str::<serde_json::Value>(&text).is_ok(), "{text}");
        let done = DoneRequest::read(&text);
        assert_eq!(done.customer(), Some(record.id.to_string().as_str()));
        assert!(naming(cart, "Ann").is_same(&done, Some(&record)));
        assert!(!naming(cart, "Anna").is_same(&done, Some(&record)));
        assert!(!naming(CartId::random(), "Ann").is_same(&done, Some(&record)));
        assert!(naming(cart, "Ann").is_same(&done, None), "the record was deleted");
    }

    #[test]
    fn a_typed_line_that_names_a_customer_is_sealed() {
        let (cart, record) = (CartId::random(), record("salt"));
        let typed = |cart| {
            let mut request = naming(cart, "Ann");
            request.add_line("A.F");
            request
        };
        let text = typed(cart).text(Some(&record));
        assert!(!text.contains("\"A."), "{text}");
        let done = DoneRequest::read(&text);
        assert_eq!(file_of(done.line), Some("F"));
        let other = typed(CartId::random());
        assert!(other.is_same(&done, Some(&record)), "the same line");
        assert!(!other.is_same(&done, None), "the line cannot be compared any more");
        assert!(typed(cart).is_same(&done, None), "the same input");
    }

    #[test]
    fn requests_are_compared_by_line_and_file() {
        let cart = CartId::random();
        let typed_for = |cart, line: &str| {
            let mut request = Request::of(&ExtendCart { cart });
            request.add_line(line);
            request
        };
        let typed = |line| typed_for(cart, line);
        let text = typed("A.F").text(None);
        let done = DoneRequest::read(&text);
        assert!(typed("A.F").is_same(&done, None));
        assert!(!typed("A.G").is_same(&done, None), "another file");
        assert!(typed("B.F").is_same(&done, None), "the same input");
        assert!(!Request::of(&ExtendCart { cart }).is_same(&done, None), "no file");
        let other = typed_for(CartId::random(), "A.F");
        assert!(other.is_same(&done, None), "the same line");
    }
}

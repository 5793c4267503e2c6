//! Request of a command: its verb and input as the journal has them.
//!
//! The journal has no private text: it has a seal over them with the salt of a document that has them, and the key of that
//! document; the hash of a typed line is sealed with it, too. A request sent again with another text is another request.
//! Once the salt is deleted, the texts cannot be found from the seal, and the rest decides.

use crate::domain::private;
use crate::engine::work::Operation;
use crate::store::document::{DocKind, Salt};
use crate::store::journal::hash;

/// Start of the hash of a typed line, at the end of a request; cannot occur inside a JSON string.
const LINE: &str = r#""line":""#;

/// Start of a document's kind and key and of the seal with its salt, before the line.
const SEALED: &str = r#""sealed":""#;

/// Separates the hash of a line from the hash of a file, and the parts of a seal.
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
    /// Input as JSON, without its braces and its private texts.
    contents: String,
    texts: Vec<String>,
    line: Option<String>,
}

impl Request {
    /// Builds the request of an operation.
    pub(crate) fn of<O: Operation>(operation: &O) -> Self {
        let (contents, texts) = private::apart(|| serde_json::to_string(operation).unwrap_or_default());
        let inside = contents.strip_prefix('{');
        let inside = inside.and_then(|contents| contents.strip_suffix('}'));
        Self { verb: O::VERB, contents: inside.unwrap_or_default().to_owned(), texts, line: None }
    }

    /// Adds the hash of the typed line.
    pub(crate) fn add_line(&mut self, line: &str) {
        self.line = Some(line.to_owned());
    }

    /// Text for the journal, sealed with a salt if it has private texts.
    pub(crate) fn text(&self, salt: Option<&Salt>) -> String {
        let salt = salt.filter(|_| !self.texts.is_empty());
        let sealed = salt.map(|Salt { kind, key, salt }| {
            let seal = sealed(salt, &self.texts);
            format!("{SEALED}{}{POINT}{key}{POINT}{seal}\"", kind.word())
        });
        let line = self.line(salt.map(|salt| salt.salt.as_str())).map(|line| format!("{LINE}{line}\""));
        let mut text = format!(r#"{{"{}":{{{}"#, self.verb, self.contents);
        for member in [sealed, line].into_iter().flatten() {
            if !text.ends_with('{') {
                text.push(',');
            }
            text.push_str(&member);
        }
        text.push_str("}}");
        text
    }

    /// Hash of the typed line: sealed if it has private texts, and left out where nothing seals it.
    fn line(&self, salt: Option<&str>) -> Option<String> {
        let line = self.line.as_deref()?;
        if self.texts.is_empty() {
            return Some(line.to_owned());
        }
        let (typed, file) = line.split_at(line.find(POINT).unwrap_or(line.len()));
        let typed = salt.map(|salt| sealed(salt, &[typed.to_owned()]));
        Some(typed.unwrap_or_default() + file)
    }

    /// Compares it with the request of a completed command, which was sealed with this salt if that still exists: by the
    /// typed line, or else by its input; and always by the file read.
    pub(crate) fn is_same(&self, done: &DoneRequest<'_>, salt: Option<&str>) -> bool {
        let line = self.line(salt);
        let line = line.as_deref();
        let is_typed = done.line.is_some_and(|line| !line.is_empty() && !line.starts_with(POINT));
        let same_texts = match (done.sealed, salt) {
            (Some((.., seal)), Some(salt)) => seal == sealed(salt, &self.texts),
            // a deleted salt leaves nothing to compare with
            (None, _) | (_, None) => true,
        };
        self.verb == done.verb
            && file_of(line) == file_of(done.line)
            && (is_typed && line == done.line || self.contents == done.contents && same_texts)
    }
}

/// Hash of texts that cannot be guessed without the salt.
fn sealed(salt: &str, texts: &[String]) -> String {
    hash::spell(hash::of_parts([], std::iter::once(salt).chain(texts.iter().map(String::as_str))))
}

/// Parts of a request in the journal.
pub(crate) struct DoneRequest<'a> {
    verb: &'a str,
    contents: &'a str,
    /// Kind and key of a document, and seal.
    sealed: Option<(DocKind, &'a str, &'a str)>,
    line: Option<&'a str>,
}

impl<'a> DoneRequest<'a> {
    /// Parses the text of [`Request::text`].
    pub(crate) fn read(text: &'a str) -> Self {
        let bare = text.strip_prefix("{\"").unwrap_or(text);
        let (verb, members) = bare.split_once("\":{").unwrap_or((bare, ""));
        let members = members.strip_suffix("}}").unwrap_or(members);
        let (rest, line) = last(members, LINE);
        let (contents, sealed) = last(rest, SEALED);
        let sealed = sealed.and_then(|sealed| {
            let (kind, rest) = sealed.split_once(POINT)?;
            let (key, seal) = rest.rsplit_once(POINT)?;
            Some((DocKind::from_word(kind)?, key, seal))
        });
        Self { verb, contents, sealed, line }
    }

    /// Returns whether it is of a verb.
    pub(crate) fn is_of(&self, verb: &str) -> bool {
        self.verb == verb
    }

    /// Document whose salt sealed it.
    pub(crate) const fn sealed_by(&self) -> Option<(DocKind, &'a str)> {
        match self.sealed {
            Some((kind, key, _)) => Some((kind, key)),
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
    use crate::domain::customer::Customer;
    use crate::domain::ids::{CartId, CustomerId};
    use crate::engine::ops::{ExtendCart, NameCustomer};

    fn salt() -> Salt {
        Salt { kind: DocKind::Customer, key: CustomerId::random().to_string(), salt: "salt".into() }
    }

    fn naming(cart: CartId, name: &str) -> Request {
        let customer = Customer { name: name.into(), phone: "555 0100".into(), ..Customer::default() };
        Request::of(&NameCustomer { cart, customer })
    }

    #[test]
    fn a_request_has_no_name_and_is_the_same_only_with_it() {
        let (cart, salt) = (CartId::random(), salt());
        let text = naming(cart, "Ann").text(Some(&salt));
        assert!(!text.contains("Ann") && !text.contains("0100"), "{text}");
        assert!(serde_json::from_str::<serde_json::Value>(&text).is_ok(), "{text}");
        let done = DoneRequest::read(&text);
        assert_eq!(done.sealed_by(), Some((DocKind::Customer, salt.key.as_str())));
        assert!(naming(cart, "Ann").is_same(&done, Some("salt")));
        assert!(!naming(cart, "Anna").is_same(&done, Some("salt")));
        assert!(!naming(CartId::random(), "Ann").is_same(&done, Some("salt")));
        assert!(naming(cart, "Ann").is_same(&done, None), "the record was deleted");
    }

    #[test]
    fn a_typed_line_that_names_a_customer_is_sealed() {
        let (cart, salt) = (CartId::random(), salt());
        let typed = |cart| {
            let mut request = naming(cart, "Ann");
            request.add_line("A.F");
            request
        };
        let text = typed(cart).text(Some(&salt));
        assert!(!text.contains("\"A."), "{text}");
        let done = DoneRequest::read(&text);
        assert_eq!(file_of(done.line), Some("F"));
        let other = typed(CartId::random());
        assert!(other.is_same(&done, Some("salt")), "the same line");
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

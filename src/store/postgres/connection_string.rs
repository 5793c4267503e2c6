//! Parser of connection strings, `postgres://...` and `host=... dbname=...`, compatible with libpq.
//!
//! Errors never repeat a value, because it may be a password.

use std::collections::BTreeMap;

/// Connection parameters by keyword, as written.
pub(super) type Said = BTreeMap<String, String>;

/// Known keywords; the last few are accepted and ignored.
const KEYWORDS: [&str; 22] = [
    "host",
    "hostaddr",
    "port",
    "dbname",
    "user",
    "password",
    "passfile",
    "sslmode",
    "sslrootcert",
    "sslcert",
    "sslkey",
    "service",
    "connect_timeout",
    "application_name",
    "options",
    "target_session_attrs",
    "channel_binding",
    "client_encoding",
    "gssencmode",
    "keepalives",
    "fallback_application_name",
    "sslcompression",
];

const SCHEMES: [&str; 2] = ["postgres://", "postgresql://"];

/// Returns whether a text names a server rather than a file.
pub(super) fn names_a_server(text: &str) -> bool {
    if SCHEMES.iter().any(|scheme| text.starts_with(scheme)) {
        return true;
    }
    let first = text.split_once('=').map(|(keyword, _)| keyword.trim());
    first.is_some_and(|keyword| KEYWORDS.contains(&keyword))
}

/// Parses an address into its parameters.
///
/// # Errors
/// The problem, as the end of a sentence.
pub(super) fn parse(text: &str) -> Result<Said, String> {
    let url = SCHEMES.iter().find_map(|scheme| text.strip_prefix(scheme));
    let said = url.map_or_else(|| pairs(text), parse_url)?;
    said.keys().try_for_each(|keyword| known(keyword))?;
    Ok(said)
}

/// Checks that a keyword is known.
///
/// # Errors
/// The problem, as the end of a sentence.
pub(super) fn known(keyword: &str) -> Result<(), String> {
    if KEYWORDS.contains(&keyword) {
        return Ok(());
    }
    // the keyword is not repeated: it may be part of an unquoted password
    Err("it has a setting that no server knows; quote a value that has blanks, and write % & ? @ / : in a password as %25 %26 %3F %40 %2F %3A".into())
}

fn parse_url(rest: &str) -> Result<Said, String> {
    let mut said = Said::new();
    let (before, query) = rest.split_once('?').unwrap_or((rest, ""));
    let (authority, dbname) = before.split_once('/').unwrap_or((before, ""));
    let (login, hosts) = match authority.rsplit_once('@') {
        Some((login, hosts)) => (login, hosts),
        None => ("", authority),
    };
    let (user, password) = login.split_once(':').unwrap_or((login, ""));
    let (machines, doors) = split_hosts(hosts)?;
    let named = [
        ("user", user),
        ("password", password),
        ("host", machines.as_str()),
        ("port", doors.as_str()),
        ("dbname", dbname),
    ];
    for (keyword, value) in named {
        if !value.is_empty() {
            said.insert(keyword.into(), decode(value)?);
        }
    }
    for pair in query.split('&').filter(|pair| !pair.is_empty()) {
        let Some((keyword, value)) = pair.split_once('=') else {
            return Err("a setting after the ? has no =".into());
        };
        said.insert(decode(keyword)?, decode(value)?);
    }
    Ok(said)
}

/// Splits `a:1,b:2` into `a,b` and `1,2`; an IPv6 address is in brackets.
fn split_hosts(text: &str) -> Result<(String, String), String> {
    let (mut hosts, mut ports) = (Vec::new(), Vec::new());
    for part in text.split(',') {
        let (host, port) = if let Some(rest) = part.strip_prefix('[') {
            let closed = rest.split_once(']');
            let (host, rest) = closed.ok_or("an address in [ has no ]")?;
            (host, rest.strip_prefix(':').unwrap_or_default())
        } else {
            part.split_once(':').unwrap_or((part, ""))
        };
        hosts.push(host);
        ports.push(port);
    }
    let ports = if ports.iter().all(|port| port.is_empty()) { String::new() } else { ports.join(",") };
    Ok((hosts.join(","), ports))
}

/// Decodes percent escapes.
fn decode(text: &str) -> Result<String, String> {
    let problem = "a % stands without two hexadecimal digits; write a % itself as %25";
    let mut bytes = Vec::with_capacity(text.len());
    let mut rest = text.bytes();
    while let Some(byte) = rest.next() {
        if byte != b'%' {
            bytes.push(byte);
            continue;
        }
        let digit = |byte: Option<u8>| char::from(byte?).to_digit(16);
        let (Some(high), Some(low)) = (digit(rest.next()), digit(rest.next())) else {
            return Err(problem.into());
        };
        bytes.push(u8::try_from(high * 16 + low).unwrap_or_default());
    }
    String::from_utf8(bytes).map_err(|_| "it is no UTF-8".into())
}

/// Parses `keyword=value keyword='a \'value\''`.
fn pairs(text: &str) -> Result<Said, String> {
    let mut said = Said::new();
    let mut rest = text.trim_start();
    while !rest.is_empty() {
        let Some((keyword, after)) = rest.split_once('=') else {
            return Err("a setting has no =; quote a value that has blanks in it".into());
        };
        let (value, after) = value(after.trim_start())?;
        said.insert(keyword.trim().into(), value);
        rest = after.trim_start();
    }
    Ok(said)
}

/// Parses the value at the start of a text; returns it with the rest.
fn value(text: &str) -> Result<(String, &str), String> {
    let quoted = text.starts_with('\'');
    let mut value = String::new();
    let mut letters = text.char_indices().skip(usize::from(quoted));
    while let Some((place, letter)) = letters.next() {
        match letter {
            '\\' => value.extend(letters.next().map(|(_, letter)| letter)),
            '\'' if quoted => {
                return Ok((value, text.get(place + 1..).unwrap_or_default()));
            }
            letter if !quoted && letter.is_whitespace() => {
                return Ok((value, text.get(place..).unwrap_or_default()));
            }
            letter => value.push(letter),
        }
    }
    if quoted { Err("a quoted value has no end".into()) } else { Ok((value, "")) }
}

#[cfg(test)]
mod tests {
    use super::{names_a_server, parse};

    fn said(text: &str) -> String {
        let said = parse(text).unwrap();
        let pairs: Vec<String> = said.iter().map(|(k, v)| format!("{k}={v}")).collect();
        pairs.join(" ")
    }

    #[test]
    fn addresses_are_distinguished_from_file_names() {
        for server in ["postgres://h/d", "postgresql:///d", "host=h dbname=d", "service=box"] {
            assert!(names_a_server(server), "{server}");
        }
        for file in ["house.db", "/var/lib/a=b/house.db", "./dbname", "C:house"] {
            assert!(!names_a_server(file), "{file}");
        }
    }

    #[test]
    fn both_address_forms_parse_alike() {
        assert_eq!(
            said("postgres://ada:p%40ss@db.example:6543/house?sslmode=verify-full"),
            "dbname=house host=db.example password=p@ss port=6543 sslmode=verify-full user=ada"
        );
        assert_eq!(
            said(r"host=db.example port=6543 user=ada dbname=house password='p\'s s'"),
            "dbname=house host=db.example password=p's s port=6543 user=ada"
        );
        assert_eq!(said("postgres://a:1,[::1]:2/d"), "dbname=d host=a,::1 port=1,2");
        assert_eq!(said("postgresql:///d?host=/run/pg"), "dbname=d host=/run/pg");
        assert_eq!(said("postgres://h"), "host=h");
    }

    #[test]
    fn address_errors_do_not_repeat_the_value() {
        for (text, problem) in [
            ("postgres://ada:%zz@h/d", "%25"),
            ("postgres://h/d?pasword=secret", "no server knows"),
            ("host=h password=a secret", "has no ="),
            ("host=h password='secret", "has no end"),
            ("host=h password=my secret=1", "no server knows"),
        ] {
            let said = parse(text).unwrap_err();
            assert!(said.contains(problem), "{text}: {said}");
            assert!(!said.contains("secret") && !said.contains("pasword"), "{said}");
        }
    }
}

//! Connection settings: from the address, the service file, the environment, the passfile, and
//! defaults.
//!
//! # Invariants
//! - The password is in [`Settings`] and in no text made of it.

use std::fmt;
use std::fs;
use std::net::IpAddr;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::time::Duration;

use crate::store::postgres::connection_string::{self, Said};
use crate::store::postgres::login_error::LoginError;

/// Default timeout of a connection attempt.
const CONNECT_TIMEOUT: Duration = Duration::from_secs(5);

/// Default port.
const PORT: u16 = 5432;

/// Default folders of server sockets.
const SOCKET_FOLDERS: [&str; 2] = ["/var/run/postgresql", "/tmp"];

/// Environment variables, with the keyword of each.
const VARIABLES: [(&str, &str); 17] = [
    ("PGHOST", "host"),
    ("PGHOSTADDR", "hostaddr"),
    ("PGPORT", "port"),
    ("PGDATABASE", "dbname"),
    ("PGUSER", "user"),
    ("PGPASSWORD", "password"),
    ("PGPASSFILE", "passfile"),
    ("PGSSLMODE", "sslmode"),
    ("PGSSLROOTCERT", "sslrootcert"),
    ("PGSSLCERT", "sslcert"),
    ("PGSSLKEY", "sslkey"),
    ("PGSERVICE", "service"),
    ("PGCONNECT_TIMEOUT", "connect_timeout"),
    ("PGAPPNAME", "application_name"),
    ("PGOPTIONS", "options"),
    ("PGTARGETSESSIONATTRS", "target_session_attrs"),
    ("PGCHANNELBINDING", "channel_binding"),
];

/// Encryption and authentication of the server, in increasing strength.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, strum::EnumString)]
#[strum(serialize_all = "kebab-case")]
pub(super) enum SslMode {
    /// Unencrypted.
    Disable,
    /// Encrypted if the server supports it.
    #[strum(serialize = "prefer", serialize = "allow")]
    Prefer,
    /// Encrypted, with any server.
    Require,
    /// Encrypted, with a certificate signed by a trusted authority.
    VerifyCa,
    /// Encrypted, with a signed certificate that names this host.
    VerifyFull,
}

/// Trusted root certificates.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Roots {
    /// Those of the machine.
    System,
    /// Those of a file.
    File(PathBuf),
}

/// Server address and credentials.
#[derive(Clone, PartialEq, Eq)]
pub(super) struct Settings {
    /// Host names, addresses, or socket folders; the first that answers is used.
    pub(super) hosts: Vec<String>,
    /// Addresses of the hosts where those only name the servers, for their certificates; else none.
    pub(super) addresses: Vec<IpAddr>,
    /// One for all hosts, or one per host.
    pub(super) ports: Vec<u16>,
    pub(super) user: String,
    pub(super) password: Option<String>,
    pub(super) dbname: String,
    pub(super) sslmode: SslMode,
    pub(super) roots: Option<Roots>,
    /// Client certificate and key.
    pub(super) certificate: Option<(PathBuf, PathBuf)>,
    pub(super) connect_timeout: Duration,
    pub(super) application_name: String,
    pub(super) options: Option<String>,
    /// Passfile that was ignored because other users may read it.
    pub(super) open_passfile: Option<PathBuf>,
}

impl fmt::Debug for Settings {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Settings({self})")
    }
}

impl fmt::Display for Settings {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { user, dbname, .. } = self;
        write!(f, "postgres://{user}@{}/{dbname}", self.server())
    }
}

/// Environment of the process: variables and the home directory.
pub(super) struct Surroundings<'a> {
    pub(super) variable: &'a dyn Fn(&str) -> Option<String>,
}

impl Surroundings<'_> {
    fn of(&self, name: &str) -> Option<String> {
        (self.variable)(name).filter(|value| !value.is_empty())
    }

    fn home(&self, file: &str) -> Option<PathBuf> {
        self.of("HOME").map(|home| Path::new(&home).join(file))
    }
}

impl Settings {
    /// Resolves an address with the environment's defaults.
    pub(super) fn new(text: &str, around: &Surroundings<'_>) -> Result<Self, LoginError> {
        Self::find(text, around).map_err(LoginError::Address)
    }

    fn find(text: &str, around: &Surroundings<'_>) -> Result<Self, String> {
        let said = complete(connection_string::parse(text)?, around)?;
        let get = |keyword: &str| said.get(keyword).filter(|value| !value.is_empty());
        let user = get("user")
            .cloned()
            .or_else(|| around.of("USER"))
            .or_else(|| around.of("LOGNAME"))
            .ok_or("it does not say as whom; write postgres://USER@HOST/DATABASE")?;
        let ports = ports(get("port"))?;
        let hosts = hosts(&said, ports.first().copied().unwrap_or(PORT));
        let roots = roots(get("sslrootcert"), around);
        let sslmode = match get("sslmode") {
            None if roots == Some(Roots::System) => SslMode::VerifyFull,
            None => SslMode::Prefer,
            Some(text) => {
                text.parse().map_err(|_| "its sslmode is none of disable, prefer, require, verify-ca, verify-full")?
            }
        };
        if roots == Some(Roots::System) && sslmode != SslMode::VerifyFull {
            return Err(
                "with sslrootcert=system anybody may have a certificate, so its sslmode has to be verify-full".into()
            );
        }
        if ports.len() > 1 && ports.len() != hosts.len() {
            return Err("it has as many ports as hosts, or one, but not so".into());
        }
        let addresses = get("hostaddr").filter(|_| get("host").is_some());
        let addresses = addresses.map_or_else(|| Ok(Vec::new()), |text| addresses_in(text))?;
        if !addresses.is_empty() && addresses.len() != hosts.len() {
            return Err("it has a hostaddr for each host, or none, but not so".into());
        }
        let mut settings = Self {
            dbname: get("dbname").unwrap_or(&user).clone(),
            password: get("password").cloned(),
            roots,
            certificate: get("sslcert").zip(get("sslkey")).map(|(certificate, key)| (certificate.into(), key.into())),
            connect_timeout: timeout(get("connect_timeout"))?,
            application_name: get("application_name").map_or("willcall", |name| name).into(),
            options: get("options").cloned(),
            open_passfile: None,
            user,
            hosts,
            addresses,
            ports,
            sslmode,
        };
        if settings.roots.is_none() && settings.sslmode >= SslMode::VerifyCa {
            settings.roots = Some(Roots::System);
        }
        settings.fill_password(get("passfile").map(PathBuf::from), around);
        Ok(settings)
    }

    /// Reads the password from the passfile, if none is set and no other user may read the file.
    fn fill_password(&mut self, named: Option<PathBuf>, around: &Surroundings<'_>) {
        let Some(path) = named.or_else(|| around.home(".pgpass")) else {
            return;
        };
        let Ok(about) = fs::metadata(&path) else {
            return;
        };
        if self.password.is_some() {
            return;
        }
        if about.permissions().mode() & 0o077 != 0 {
            self.open_passfile = Some(path);
            return;
        }
        let lines = fs::read_to_string(&path).unwrap_or_default();
        self.password = lines.lines().find_map(|line| self.password_of(line));
    }

    /// Password of a line `host:port:database:user:password`, if the line matches this server.
    fn password_of(&self, line: &str) -> Option<String> {
        if line.starts_with('#') {
            return None;
        }
        let fields = fields(line);
        let [host, port, dbname, user, password] = fields.as_slice() else {
            return None;
        };
        let is = |field: &str, value: &str| field == "*" || field == value;
        let here = self.hosts.iter().any(|own| is(host, own) || (own.starts_with('/') && host == "localhost"));
        let port_is = self.ports.iter().any(|own| is(port, &own.to_string()));
        (here && port_is && is(dbname, &self.dbname) && is(user, &self.user)).then(|| password.clone())
    }

    /// Host and port for display.
    pub(super) fn server(&self) -> String {
        let host = self.hosts.join(",");
        let port = self.ports.first().copied().unwrap_or(PORT);
        if host.contains(':') { format!("[{host}]:{port}") } else { format!("{host}:{port}") }
    }

    /// Returns whether the server is reached through a socket in the file system.
    pub(super) fn is_local(&self) -> bool {
        self.addresses.is_empty() && self.hosts.iter().all(|host| host.starts_with('/'))
    }
}

/// Adds missing parameters: from the service file, then from environment variables.
fn complete(mut said: Said, around: &Surroundings<'_>) -> Result<Said, String> {
    let service = said.get("service").cloned().or_else(|| around.of("PGSERVICE"));
    if let Some(service) = service {
        for (keyword, value) in service_of(&service, around)? {
            said.entry(keyword).or_insert(value);
        }
    }
    for (variable, keyword) in VARIABLES {
        if let Some(value) = around.of(variable) {
            said.entry(keyword.into()).or_insert(value);
        }
    }
    Ok(said)
}

/// Settings of a service, from the first service file that has it.
fn service_of(service: &str, around: &Surroundings<'_>) -> Result<Said, String> {
    let own = around.of("PGSERVICEFILE").map(PathBuf::from).or_else(|| around.home(".pg_service.conf"));
    let folder = around.of("PGSYSCONFDIR").unwrap_or("/etc/postgresql-common".into());
    let common = Path::new(&folder).join("pg_service.conf");
    for file in own.into_iter().chain([common]) {
        let text = fs::read_to_string(&file).unwrap_or_default();
        let mut lines = text.lines().map(str::trim);
        if !lines.any(|line| line == format!("[{service}]")) {
            continue;
        }
        let mut said = Said::new();
        for line in lines.take_while(|line| !line.starts_with('[')) {
            if let Some((keyword, value)) = line.split_once('=').filter(|_| !line.starts_with('#')) {
                connection_string::known(keyword.trim())
                    .map_err(|problem| format!("in {}: {problem}", file.display()))?;
                said.insert(keyword.trim().into(), value.trim().into());
            }
        }
        return Ok(said);
    }
    Err(format!("no service file has the service {service}; look at ~/.pg_service.conf"))
}

/// Fields of a passfile line; a backslash escapes a colon.
fn fields(line: &str) -> Vec<String> {
    let (mut fields, mut field) = (Vec::new(), String::new());
    let mut letters = line.chars();
    while let Some(letter) = letters.next() {
        match letter {
            ':' if fields.len() < 4 => fields.push(std::mem::take(&mut field)),
            '\\' => field.extend(letters.next()),
            letter => field.push(letter),
        }
    }
    fields.push(field);
    fields
}

fn ports(text: Option<&String>) -> Result<Vec<u16>, String> {
    let Some(text) = text else {
        return Ok(vec![PORT]);
    };
    let port = |text: &str| match text.trim() {
        "" => Ok(PORT),
        text => {
            text.parse().ok().filter(|port| *port > 0).ok_or_else(|| "its port is no number from 1 to 65535".to_owned())
        }
    };
    text.split(',').map(port).collect()
}

fn addresses_in(text: &str) -> Result<Vec<IpAddr>, String> {
    let address =
        |text: &str| text.trim().parse().map_err(|_| "its hostaddr is no address such as 10.0.0.5".to_owned());
    text.split(',').map(address).collect()
}

/// Hosts of the address, or the local socket folder of a running server.
fn hosts(said: &Said, port: u16) -> Vec<String> {
    let said = |keyword| said.get(keyword).filter(|hosts| !hosts.is_empty());
    if let Some(hosts) = said("host").or_else(|| said("hostaddr")) {
        return hosts.split(',').map(str::to_owned).collect();
    }
    let socket = format!(".s.PGSQL.{port}");
    let has_socket = |folder: &&str| Path::new(folder).join(&socket).exists();
    let local = SOCKET_FOLDERS.into_iter().find(has_socket);
    vec![local.unwrap_or("localhost").to_owned()]
}

fn roots(said: Option<&String>, around: &Surroundings<'_>) -> Option<Roots> {
    match said.map(String::as_str) {
        Some("system") => Some(Roots::System),
        Some(path) => Some(Roots::File(path.into())),
        None => {
            let usual = around.home(".postgresql/root.crt")?;
            usual.exists().then_some(Roots::File(usual))
        }
    }
}

fn timeout(text: Option<&String>) -> Result<Duration, String> {
    let Some(text) = text else {
        return Ok(CONNECT_TIMEOUT);
    };
    let seconds: u64 = text.parse().map_err(|_| "its connect_timeout is no number of seconds".to_owned())?;
    // two seconds is the least, as in libpq; 0 would mean no limit
    Ok(if seconds == 0 { CONNECT_TIMEOUT } else { Duration::from_secs(seconds.max(2)) })
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::os::unix::fs::PermissionsExt;

    use super::{Settings, SslMode, Surroundings};

    fn with(text: &str, variables: &[(&str, &str)]) -> Result<Settings, String> {
        let variable = |name: &str| {
            let found = variables.iter().find(|(variable, _)| *variable == name);
            found.map(|(_, value)| (*value).to_owned())
        };
        let around = Surroundings { variable: &variable };
        Settings::new(text, &around).map_err(|error| error.to_string())
    }

    #[test]
    fn the_address_overrides_the_service_which_overrides_the_environment() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("services");
        fs::write(&file, "[other]\nhost=no\n[box]\nhost=db.example\nport=7000\n# a note\nuser=office\n").unwrap();
        let file = file.to_str().unwrap();
        let variables = [
            ("PGSERVICEFILE", file),
            ("PGUSER", "ada"),
            ("PGDATABASE", "house"),
            ("PGPASSWORD", "secret"),
            ("PGSSLMODE", "verify-full"),
        ];
        let settings = with("postgres:///?service=box&port=7001", &variables).unwrap();
        assert_eq!(settings.to_string(), "postgres://office@db.example:7001/house");
        assert_eq!(settings.password.as_deref(), Some("secret"));
        assert_eq!(settings.sslmode, SslMode::VerifyFull);
        assert!(!format!("{settings:?}").contains("secret"));
        let missing = with("service=nowhere", &variables).unwrap_err();
        assert!(missing.contains("no service file has the service nowhere"), "{missing}");
    }

    #[test]
    fn a_passfile_readable_by_the_owner_alone_gives_its_first_matching_password() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("pass");
        fs::write(&file, "# note\nelse:*:*:*:no\ndb.example:5432:house:ada:p\\:a\\\\ss\n*:*:*:*:last\n").unwrap();
        let path = file.to_str().unwrap();
        let password = |text: &str| {
            let settings = with(text, &[("PGPASSFILE", path), ("PGUSER", "ada")]).unwrap();
            (settings.password, settings.open_passfile.is_some())
        };
        let mode = |mode| fs::set_permissions(&file, fs::Permissions::from_mode(mode)).unwrap();
        mode(0o600);
        assert_eq!(password("host=db.example dbname=house"), (Some("p:a\\ss".into()), false));
        assert_eq!(password("host=db.example dbname=b"), (Some("last".into()), false));
        assert_eq!(password("host=h password=mine"), (Some("mine".into()), false));
        mode(0o644);
        assert_eq!(password("host=db.example dbname=house"), (None, true));
    }

    #[test]
    fn a_host_with_an_address_names_the_server_and_the_address_is_called() {
        let called = |text| with(text, &[]).map(|one| (one.hosts, one.addresses)).unwrap();
        let ten = || vec!["10.0.0.5".parse().unwrap()];
        assert_eq!(called("host=db.example hostaddr=10.0.0.5 user=u"), (vec!["db.example".to_owned()], ten()));
        assert_eq!(called("hostaddr=10.0.0.5 user=u"), (vec!["10.0.0.5".to_owned()], vec![]));
        assert!(called("host=db.example user=u").1.is_empty());
    }

    #[test]
    fn each_problem_with_an_address_has_its_own_sentence() {
        for (text, problem) in [
            ("postgres://u@h:99999/d", "port"),
            ("postgres://u@h/d?sslmode=perhaps", "sslmode"),
            ("postgres://u@h/d?sslmode=require&sslrootcert=system", "verify-full"),
            ("postgres://h/d", "as whom"),
            ("postgres://u@h/d?connect_timeout=soon", "connect_timeout"),
            ("postgres://u@a,b,c/d?port=1,2", "ports"),
            ("postgres://u@a/d?hostaddr=b", "hostaddr is no address"),
            ("postgres://u@a/d?hostaddr=10.0.0.1,10.0.0.2", "hostaddr for each host"),
        ] {
            let said = with(text, &[]).unwrap_err();
            assert!(said.contains(problem), "{text}: {said}");
        }
    }
}

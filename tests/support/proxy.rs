//! A plain TCP proxy before a throw-away server: cuts a connection behind its k-th message to the desk, and lets another
//! station act at the worst moment.

use std::io::{BufReader, Read, Write};
use std::net::{Shutdown, TcpListener, TcpStream};
use std::os::unix::net::UnixStream;
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};
use std::sync::{Arc, Mutex};

use crate::cluster::{Cluster, database};

/// Another station's interfering act.
type Meddle = Box<dyn Fn() + Send + Sync>;

/// Statements by which a connection is known as the watcher's: its messages come by the clock and do not count.
const BACKGROUND: [&[u8]; 2] = [b"pg_current_wal_lsn", b"pg_notify"];

/// The way to the server, and what happens on it.
pub(crate) struct Proxy {
    port: u16,
    rules: Arc<Rules>,
}

struct Rules {
    /// How many messages pass until the cut; `None` when none is planned.
    left: Mutex<Option<u32>>,
    /// Whether another station acts before the next COMMIT reaches the server.
    contend: AtomicBool,
    meddle: Meddle,
    /// Errors that the server has answered.
    errors: Mutex<Vec<String>>,
    /// How many connections were made.
    connections: AtomicU32,
}

impl Proxy {
    pub(crate) fn start(cluster: &Cluster, meddle: Meddle) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let port = listener.local_addr().unwrap().port();
        let rules = Arc::new(Rules {
            left: Mutex::new(None),
            contend: AtomicBool::new(false),
            meddle,
            errors: Mutex::default(),
            connections: AtomicU32::new(0),
        });
        let (socket, shared) = (cluster.folder().join(".s.PGSQL.5432"), Arc::clone(&rules));
        std::thread::spawn(move || {
            for client in listener.incoming().map_while(Result::ok) {
                shared.connections.fetch_add(1, Ordering::SeqCst);
                serve(client, &socket, &shared);
            }
        });
        Self { port, rules }
    }

    /// The address of a house in a schema, by way of this proxy.
    pub(crate) fn address(&self, schema: &str) -> String {
        format!(
            "host=127.0.0.1 port={} sslmode=disable connect_timeout=60 user=willcall dbname={} \
             options='-c search_path={schema}'",
            self.port,
            database(schema)
        )
    }

    /// Plans a cut behind the k-th message from now, counted from 1.
    pub(crate) fn cut_behind(&self, message: u32) {
        *self.rules.left.lock().unwrap() = Some(message);
    }

    /// Forgets the plan; whether the cut took place.
    pub(crate) fn was_cut(&self) -> bool {
        self.rules.left.lock().unwrap().take().is_none()
    }

    /// How many connections were made so far.
    pub(crate) fn connections(&self) -> u32 {
        self.rules.connections.load(Ordering::SeqCst)
    }

    /// Counts the server's errors with this text in their message.
    pub(crate) fn errors(&self, text: &str) -> u32 {
        let errors = self.rules.errors.lock().unwrap();
        let told = errors.iter().filter(|error| error.contains(text)).count();
        u32::try_from(told).unwrap()
    }

    /// Lets another station act before the next COMMIT.
    pub(crate) fn contend(&self) {
        self.rules.contend.store(true, Ordering::SeqCst);
    }
}

impl Rules {
    fn is_last(&self) -> bool {
        let mut left = self.left.lock().unwrap();
        if let Some(count) = left.as_mut() {
            *count -= 1;
        }
        if *left == Some(0) {
            *left = None;
            return true;
        }
        false
    }
}

fn serve(client: TcpStream, socket: &PathBuf, rules: &Arc<Rules>) {
    client.set_nodelay(true).unwrap();
    let server = UnixStream::connect(socket).unwrap();
    let background = Arc::new(AtomicBool::new(false));
    let (up, out) = (client.try_clone().unwrap(), server.try_clone().unwrap());
    let (above, known) = (Arc::clone(rules), Arc::clone(&background));
    std::thread::spawn(move || pass_up(up, out, (&above, &known)));
    let rules = Arc::clone(rules);
    std::thread::spawn(move || {
        // either side that closes ends it
        let _ = pass_down(&server, client, (&rules, &background));
    });
}

/// From the desk to the server.
fn pass_up(mut desk: TcpStream, mut server: UnixStream, (rules, background): (&Rules, &AtomicBool)) {
    let mut buffer = vec![0; 1 << 16];
    while let Ok(length @ 1..) = desk.read(&mut buffer) {
        let sent = buffer.get(..length).unwrap();
        let has = |part: &[u8]| sent.windows(part.len()).any(|window| window == part);
        if BACKGROUND.iter().any(|part| has(part)) {
            background.store(true, Ordering::SeqCst);
        }
        if has(b"COMMIT\0") && rules.contend.swap(false, Ordering::SeqCst) {
            (rules.meddle)();
        }
        if server.write_all(sent).is_err() {
            break;
        }
    }
    let _ = server.shutdown(Shutdown::Both);
}

/// From the server to the desk, message by message. The end of the connection goes out with the last answer.
fn pass_down(
    server: &UnixStream,
    mut desk: TcpStream,
    (rules, background): (&Rules, &AtomicBool),
) -> std::io::Result<()> {
    let mut from = BufReader::with_capacity(1 << 16, server);
    let (mut out, mut before) = (Vec::new(), 0);
    loop {
        let mut head = [0; 5];
        if from.read_exact(&mut head).is_err() {
            return desk.shutdown(Shutdown::Both);
        }
        let [kind, length @ ..] = head;
        let body = u64::from(u32::from_be_bytes(length)) - 4;
        out.extend(head);
        let begin = out.len();
        from.by_ref().take(body).read_to_end(&mut out)?;
        // rows of one answer count as one message, or a house that grows would never be done
        let goes_on = kind == b'D' && before == b'D';
        let counts = !goes_on && !background.load(Ordering::SeqCst);
        before = kind;
        if kind == b'E' {
            let error = String::from_utf8_lossy(out.get(begin..).unwrap());
            rules.errors.lock().unwrap().push(error.into_owned());
        }
        if counts && rules.is_last() {
            (rules.meddle)();
            desk.write_all(&out)?;
            desk.shutdown(Shutdown::Write)?;
            return server.shutdown(Shutdown::Both);
        }
        if from.buffer().is_empty() {
            desk.write_all(&out)?;
            out.clear();
        }
    }
}

//! Connections that are cut before or after a commit, under clerks who all want the same seats.

use std::io::{Read, Write};
use std::os::unix::net::{UnixListener, UnixStream};
use std::path::Path;
use std::sync::atomic::{AtomicU32, Ordering};

use willcall::store::Location;

use crate::cluster::Cluster;
use crate::ground::Ground;
use crate::hot_seats::{Fight, fight};

/// One commit in so many is cut off, in turns before and after the server has heard it.
const CUT_ONE_IN: u32 = 100;

static COMMITS: AtomicU32 = AtomicU32::new(0);

/// Stands between clerks and the server, and cuts some at their commit.
fn proxy(at: &Path, server: &Path) {
    let listener = UnixListener::bind(at).unwrap();
    let server = server.to_owned();
    std::thread::spawn(move || {
        for client in listener.incoming().map_while(Result::ok) {
            let server = UnixStream::connect(&server).unwrap();
            let (back, mut out) = (server.try_clone().unwrap(), client.try_clone().unwrap());
            std::thread::spawn(move || {
                let mut back = back;
                // either side that closes ends it
                let _ = std::io::copy(&mut back, &mut out);
                let _ = out.shutdown(std::net::Shutdown::Both);
            });
            std::thread::spawn(move || pass(client, server));
        }
    });
}

fn pass(mut client: UnixStream, mut server: UnixStream) {
    let mut buffer = vec![0; 1 << 16];
    while let Ok(length @ 1..) = client.read(&mut buffer) {
        let sent = buffer.get(..length).unwrap();
        let commits = sent.windows(7).any(|part| part == b"COMMIT\0");
        let number = if commits { COMMITS.fetch_add(1, Ordering::SeqCst) } else { 1 };
        let cut = commits && number % CUT_ONE_IN == 0;
        let before = cut && (number / CUT_ONE_IN).is_multiple_of(2);
        if before || server.write_all(sent).is_err() || cut {
            // the client hears nothing of what the server makes of it
            let _ = client.shutdown(std::net::Shutdown::Both);
            let _ = server.shutdown(std::net::Shutdown::Write);
            return;
        }
    }
    let _ = server.shutdown(std::net::Shutdown::Both);
}

#[test]
fn connections_cut_at_their_commit_lose_no_receipt_and_sell_no_seat_twice() {
    let Some(cluster) = Cluster::shared() else {
        return;
    };
    let ground = Ground::server();
    let Ground::Server { schema, .. } = &ground else {
        return;
    };
    let folder = tempfile::tempdir().unwrap();
    proxy(&folder.path().join(".s.PGSQL.5432"), &cluster.folder().join(".s.PGSQL.5432"));
    let address = cluster.address(schema).replace(cluster.folder().to_str().unwrap(), folder.path().to_str().unwrap());
    let clerks = Fight { processes: 16, clerks: 1 };
    fight(&ground.place(), &Location::parse(&address).unwrap(), clerks);
    let commits = COMMITS.load(Ordering::SeqCst);
    assert!(commits > CUT_ONE_IN * 8, "too few were cut: {commits}");
}

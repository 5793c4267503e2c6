//! Disks that are full, mounted read-only, or another machine's: each mounted for a story alone, where nobody else
//! sees it.

use std::io::{BufRead, BufReader};
use std::process::{Child, Command, Stdio};

use rustix::process::geteuid;
use serde_json::json;

use super::is_a_sentence;
use crate::support::{House, Ran};

/// A house's folder with something mounted on it, as long as this lives.
struct Mounted<'a> {
    house: &'a House,
    keeper: Child,
}

impl<'a> Mounted<'a> {
    #[expect(clippy::print_stderr, reason = "a story that is skipped says so")]
    /// Mounts by a command of the shell, in which `$0` is the folder; `None` where nobody may.
    fn by(house: &'a House, mount: &str) -> Option<Self> {
        let mut unshare = Command::new("unshare");
        unshare.arg("--mount");
        if !geteuid().is_root() {
            unshare.arg("--map-root-user");
        }
        let script = format!("{{ {mount}; }} 2>/dev/null && echo mounted && read gone");
        let keeper = unshare
            .args(["sh", "-c", &script])
            .arg(house.folder.path())
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn();
        let mut mounted = Self { house, keeper: keeper.ok()? };
        let mut line = String::new();
        let answers = mounted.keeper.stdout.take()?;
        BufReader::new(answers).read_line(&mut line).ok()?;
        if line.trim() == "mounted" {
            return Some(mounted);
        }
        eprintln!("SKIPPED: nothing can be mounted here");
        None
    }

    /// A disk of its own with so many KiB.
    fn disk(house: &'a House, kib: u32) -> Option<Self> {
        Self::by(house, &format!("mount -t tmpfs -o size={kib}k tmpfs \"$0\""))
    }

    /// A command where the disk can be seen.
    fn there(&self, command: &Command) -> Command {
        let mut there = Command::new("nsenter");
        there.arg("--mount").arg("--target").arg(self.keeper.id().to_string());
        if !geteuid().is_root() {
            there.args(["--user", "--preserve-credentials"]);
        }
        there.arg("--").arg(command.get_program()).args(command.get_args());
        there.env_clear().envs(command.get_envs().filter_map(|(name, value)| Some((name, value?))));
        there.env("PATH", "/usr/sbin:/usr/bin:/sbin:/bin").stdin(Stdio::null());
        there
    }

    fn json(&self, line: &str) -> Ran {
        let output = self.there(&self.house.on(line)).arg("--json").output();
        Ran::of(line, output.unwrap())
    }

    fn shell(&self, script: &str) -> String {
        let mut command = Command::new("sh");
        command.args(["-c", script]).arg(self.house.folder.path());
        let output = self.there(&command).output().unwrap();
        String::from_utf8(output.stdout).unwrap()
    }

    /// Fills the disk but for so many KiB.
    fn fill(&self, left: u32) {
        self.shell("cat /dev/zero > \"$0/fill\" 2>/dev/null");
        if left > 0 {
            self.shell(&format!("truncate -s -{left}K \"$0/fill\""));
        }
    }

    fn royal(&self) {
        self.json("init").done();
        self.json("theater add Royal --rows 5x16 --time-zone UTC").done();
        self.json("performance add --theater Royal --title Movie --start 2099-12-01T19:30 --end 2099-12-01T21:30 --price 10.00").done();
    }

    #[track_caller]
    fn is_full(&self, line: &str) {
        let ran = self.json(line);
        ran.failed("disk_full");
        is_a_sentence(&ran, "free some space and try again");
    }

    fn verified(&self) {
        assert_eq!(self.json("verify").done()["ok"], true);
    }
}

impl Drop for Mounted<'_> {
    fn drop(&mut self) {
        // one that ended by itself has let go already
        let _ = self.keeper.kill();
        let _ = self.keeper.wait();
    }
}

#[test]
fn full_disk_at_init() {
    let house = House::none();
    for (kib, line) in [(4, "init"), (64, "init"), (200, "init"), (700, "init --demo")] {
        let Some(disk) = Mounted::disk(&house, kib) else {
            return;
        };
        disk.is_full(line);
        assert_eq!(disk.shell("ls -A \"$0\""), "", "nothing of {line} is left on {kib} KiB");
    }
}

#[test]
fn full_disk_at_a_sale() {
    let house = House::none();
    let Some(disk) = Mounted::disk(&house, 1024) else {
        return;
    };
    disk.royal();
    let cart = disk.json("cart open").done()["id"].as_str().unwrap().to_owned();
    disk.json(&format!("cart add {cart} --performance Movie --seats B6,B7")).done();
    let before = disk.json("verify").done();
    disk.fill(0);
    disk.is_full(&format!("cart checkout {cart} --pay cash"));
    disk.is_full("cart open");
    for question in ["receipt list", "performance seats Movie", "journal"] {
        disk.json(question).done();
    }
    assert_eq!(disk.json("verify").done(), before);
    disk.shell("rm \"$0/fill\"");
    assert_eq!(disk.json("verify").done(), before);
    let receipt = disk.json(&format!("cart checkout {cart} --pay cash")).done();
    assert_eq!(receipt["total"], "20.00");
    disk.verified();
}

#[test]
fn full_disk_at_an_import() {
    let house = House::none();
    let Some(disk) = Mounted::disk(&house, 1024) else {
        return;
    };
    disk.royal();
    let before = disk.json("verify").done();
    // enough to open a house, not for so large a plan
    disk.fill(100);
    let seats: Vec<_> = (0..5000)
        .map(|n| json!({"seat_number": n.to_string(), "seat_guid": format!("g{n}"), "category": "Gold", "position": {"x": n % 50 * 25, "y": n / 50 * 25}}))
        .collect();
    let rows: Vec<_> = (0..)
        .zip(seats.chunks(50))
        .map(|(n, seats)| json!({"row_number": n.to_string(), "position": {"x": 0, "y": 0}, "seats": seats}))
        .collect();
    let plan = json!({"name": "Large", "categories": [{"name": "Gold", "color": "#ffffff"}], "size": {"width": 9, "height": 9}, "zones": [{"name": "Stalls", "position": {"x": 0, "y": 0}, "rows": rows}]});
    let elsewhere = House::none();
    let file = elsewhere.write("large.json", &plan.to_string());
    disk.is_full(&format!("theater import {file}"));
    disk.shell("rm \"$0/fill\"");
    assert_eq!(disk.json("verify").done(), before);
    disk.shell("mount -o remount,size=64m \"$0\"");
    disk.json(&format!("theater import {file}")).done();
    disk.verified();
}

#[test]
fn full_disk_in_a_bench() {
    let house = House::none();
    let Some(disk) = Mounted::disk(&house, 1024) else {
        return;
    };
    for line in ["theater --carts 5000", "theater --carts 500 --processes 2"] {
        let mut bench = house.command();
        bench.env("TMPDIR", house.folder.path()).args(["bench", "--json"]).args(line.split(' '));
        let ran = Ran::of(line, disk.there(&bench).output().unwrap());
        ran.failed("disk_full");
        is_a_sentence(&ran, "free some space and try again");
        assert!(!ran.err.contains("nothing was stored"), "{ran:#?}");
        assert_eq!(disk.shell("ls -A \"$0\""), "", "its house is gone");
    }
}

#[test]
fn read_only_file_system() {
    let house = House::royal();
    let before = house.json("verify").done();
    let Some(disk) = Mounted::by(&house, "mount --bind \"$0\" \"$0\" && mount -o remount,ro,bind \"$0\"") else {
        return;
    };
    for line in ["theater list", "cart open", "verify"] {
        let ran = disk.json(line);
        ran.refused("read_only");
        is_a_sentence(&ran, "have it mounted for writing");
    }
    drop(disk);
    assert_eq!(house.json("verify").done(), before);
}

/// A real one: the folder by ssh's file transfer, as another machine would give it.
#[test]
fn network_mount() {
    let house = House::none();
    let mount = "server=$(ls /usr/lib/openssh/sftp-server /usr/lib/ssh/sftp-server /usr/libexec/openssh/sftp-server 2>/dev/null | head -1); \
        mkfifo \"$0/there\" \"$0/back\"; mkdir \"$0/far\" \"$0/near\"; \
        \"$server\" < \"$0/there\" > \"$0/back\" & \
        sshfs -f -o passive \":$0/far\" \"$0/near\" > \"$0/there\" < \"$0/back\" & \
        for look in 1 2 3 4 5 6 7 8 9 10; do sleep 0.1; grep -q \"$0/near\" /proc/self/mountinfo && break; done; \
        grep -q \"$0/near\" /proc/self/mountinfo";
    let Some(disk) = Mounted::by(&house, mount) else {
        return;
    };
    let db = house.path("near/house.db").display().to_string();
    let mut command = house.command();
    command.args(["--json", "--db", &db, "init"]);
    let ran = Ran::of("init", disk.there(&command).output().unwrap());
    let facts = ran.refused("network_mount");
    is_a_sentence(&ran, "choose a local disk");
    assert!(facts["problem"].as_str().unwrap().contains("sshfs"), "{facts}");
    assert!(!house.path("far/house.db").exists());
    let at_work = House::royal();
    let backup = house.path("near/backup.db").display().to_string();
    let mut command = at_work.on(&format!("backup {backup}"));
    let made = Ran::of("backup", disk.there(command.arg("--json")).output().unwrap()).done();
    assert_eq!(made["verified"], true, "a backup may well lie there");
    assert!(house.path("far/backup.db").exists());
}

//! One call of a shell command: a listener's, or the check of an own kind of job.
//!
//! # Invariants
//! - No read or write of a pipe blocks: the input is written as it is read, output is read as it
//!   arrives, and pipes still open after the end are closed.
//! - The process group of the command is killed at its end, whatever the exit status, and when this process dies: so a
//!   time limit holds for all that a command starts, also through another willcall.

use std::collections::VecDeque;
use std::io::{ErrorKind, Read, Write};
use std::os::fd::AsFd;
use std::os::unix::process::CommandExt;
use std::process::{Child, ChildStdin, Command, ExitStatus, Stdio};
use std::time::{Duration, Instant as Moment};

use rustix::process::{Pid, Signal as Kill};

use crate::domain::text::clean;
use crate::engine::machine::signal::Signal;

/// Time left to a command when the desk stops.
const GRACE: Duration = Duration::from_secs(1);

/// Polling interval for a running command.
const LOOK_EVERY: Duration = Duration::from_millis(10);

/// Most bytes kept of a command's output, and of its error output.
const SAID_BYTES_MAX: usize = 400;

/// Most bytes of output read per poll.
const READ_BYTES_MAX: usize = 1 << 20;

#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Ended {
    pub(crate) status: ExitStatus,
    /// Last line of its output; may be empty.
    pub(crate) last_line: String,
    /// Beginning of its error output, on one line.
    errors: String,
    /// All of its input was taken.
    pub(crate) took_input: bool,
}

impl Ended {
    /// Exit code 0; otherwise the status and the error output.
    pub(crate) fn success(&self) -> Result<(), String> {
        match self.errors.as_str() {
            _ if self.status.success() => Ok(()),
            "" => Err(self.status.to_string()),
            errors => Err(format!("{}: {errors}", self.status)),
        }
    }
}

/// Calls a shell command with a text on its standard input.
///
/// # Errors
/// A command that cannot be started, or that exceeds its time limit.
pub(crate) fn call(command: &str, told: &str, (signal, longest): (&Signal, Duration)) -> Result<Ended, String> {
    let failed = |error: std::io::Error| error.to_string();
    let group = Group::new().map_err(failed)?;
    let mut child = Command::new("sh")
        .args(["-c", command])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .process_group(group.id())
        .spawn()
        .map_err(failed)?;
    let mut said = Said::of(child.stdout.take(), Keeps::Last);
    let mut errors = Said::of(child.stderr.take(), Keeps::First);
    let mut input = Input { pipe: non_blocking(child.stdin.take()), rest: told.as_bytes() };
    let mut ends = Moment::now() + longest;
    loop {
        if signal.is_stopped() {
            ends = ends.min(Moment::now() + GRACE);
        }
        input.write();
        said.read();
        errors.read();
        if let Some(status) = child.try_wait().map_err(failed)? {
            drop(group);
            said.read();
            errors.read();
            return Ok(Ended {
                status,
                last_line: said.last_line(),
                errors: clean(&errors.text()),
                took_input: input.rest.is_empty(),
            });
        }
        if Moment::now() > ends {
            drop(group);
            child.wait().map_err(failed)?;
            return Err(format!("it took longer than {} s", longest.as_secs_f32()));
        }
        std::thread::sleep(LOOK_EVERY);
    }
}

/// Process group of a command, killed when it is dropped. Its leader does the same when this process dies, even by a
/// kill: the pipe that it reads ends then.
struct Group {
    leader: Child,
}

impl Group {
    fn new() -> std::io::Result<Self> {
        let leader = Command::new("sh")
            .args(["-c", "read -r _; kill -KILL 0"])
            .stdin(Stdio::piped())
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .process_group(0)
            .spawn()?;
        Ok(Self { leader })
    }

    fn id(&self) -> i32 {
        i32::try_from(self.leader.id()).unwrap_or_default()
    }
}

impl Drop for Group {
    fn drop(&mut self) {
        if let Some(group) = Pid::from_raw(self.id()) {
            // its id stays reserved until the leader is reaped
            let _ = rustix::process::kill_process_group(group, Kill::KILL);
        }
        let _ = self.leader.wait();
    }
}

/// Makes a pipe non-blocking; one that cannot be is closed.
fn non_blocking<P: AsFd>(pipe: Option<P>) -> Option<P> {
    pipe.filter(|pipe| rustix::io::ioctl_fionbio(pipe, true).is_ok())
}

/// Text for the standard input of a command, as far as it is not written yet.
struct Input<'a> {
    pipe: Option<ChildStdin>,
    rest: &'a [u8],
}

impl Input<'_> {
    /// Writes the bytes the pipe takes now; closes the pipe after the last one, or when the command closed it.
    fn write(&mut self) {
        while let Some(pipe) = &mut self.pipe {
            match pipe.write(self.rest) {
                Ok(count) => {
                    self.rest = self.rest.get(count..).unwrap_or_default();
                    if self.rest.is_empty() {
                        self.pipe = None;
                    }
                }
                Err(error) if error.kind() == ErrorKind::Interrupted => {}
                Err(error) if error.kind() == ErrorKind::WouldBlock => return,
                Err(_) => self.pipe = None,
            }
        }
    }
}

/// Part of a long output that is kept.
#[derive(Clone, Copy)]
enum Keeps {
    First,
    Last,
}

/// Output of a command, as far as it is kept.
struct Said<P> {
    pipe: Option<P>,
    keeps: Keeps,
    bytes: VecDeque<u8>,
}

impl<P: Read + AsFd> Said<P> {
    fn of(pipe: Option<P>, keeps: Keeps) -> Self {
        Self { pipe: non_blocking(pipe), keeps, bytes: VecDeque::new() }
    }

    /// Reads the bytes available now, and keeps some.
    fn read(&mut self) {
        let mut part = [0_u8; 4096];
        let mut left = READ_BYTES_MAX;
        while let Some(pipe) = self.pipe.as_mut().filter(|_| left > 0) {
            match pipe.read(&mut part) {
                Ok(0) => self.pipe = None,
                Ok(count) => {
                    self.bytes.extend(part.iter().take(count));
                    let much = self.bytes.len().saturating_sub(SAID_BYTES_MAX);
                    match self.keeps {
                        Keeps::First => self.bytes.truncate(SAID_BYTES_MAX),
                        Keeps::Last => drop(self.bytes.drain(..much)),
                    }
                    left = left.saturating_sub(count);
                }
                Err(error) if error.kind() == ErrorKind::Interrupted => {}
                Err(error) if error.kind() == ErrorKind::WouldBlock => return,
                Err(_) => self.pipe = None,
            }
        }
    }

    fn text(&mut self) -> String {
        String::from_utf8_lossy(self.bytes.make_contiguous()).into_owned()
    }

    fn last_line(&mut self) -> String {
        clean(self.text().trim_end().lines().next_back().unwrap_or_default())
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::Ended;
    use crate::engine::machine::signal::Signal;

    fn call(command: &str, told: &str, limits: (&Signal, Duration)) -> Result<(), String> {
        super::call(command, told, limits).and_then(|ended| Ended::success(&ended))
    }

    #[test]
    fn the_last_line_of_a_long_output_is_kept_whatever_the_exit_code() {
        let limits = (&Signal::default(), Duration::from_mins(10));
        let said = |command: &str| super::call(command, "", limits).unwrap();
        let ended = said("seq 100000; echo ' +1h '; exit 75");
        assert_eq!((ended.status.code(), ended.last_line.as_str()), (Some(75), "+1h"));
        assert_eq!(said("exit 0").last_line, "");
        assert_eq!(said("printf 'one\\n\\377two\\n\\n'").last_line, "\u{fffd}two");
    }

    #[test]
    fn a_command_reads_the_event_and_its_failure_is_reported() {
        let (signal, limit) = (Signal::default(), Duration::from_secs(20));
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("heard");
        let command = format!("cat > '{}'", file.display());
        assert_eq!(call(&command, "told\n", (&signal, limit)), Ok(()));
        assert_eq!(std::fs::read_to_string(file).unwrap(), "told\n");
        let problem = call("echo no paper >&2; exit 3", "", (&signal, limit)).unwrap_err();
        assert!(problem.contains('3') && problem.ends_with("no paper"), "{problem}");
    }

    /// Returns whether a process exists and is not a zombie.
    fn runs(pid: &str) -> bool {
        let stat = std::fs::read_to_string(format!("/proc/{}/stat", pid.trim()));
        stat.is_ok_and(|stat| !stat.contains(") Z "))
    }

    #[test]
    fn a_background_child_is_killed_with_its_command() {
        let (signal, limit) = (Signal::default(), Duration::from_mins(10));
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("pid");
        for (ending, is_done) in [("exit 1", false), ("exit 0", true)] {
            let command = format!("sleep 600 & echo $! > '{}'; {ending}", file.display());
            assert_eq!(call(&command, "", (&signal, limit)).is_ok(), is_done);
            let pid = std::fs::read_to_string(&file).unwrap();
            while runs(&pid) {
                std::thread::yield_now();
            }
        }
    }

    #[test]
    fn a_child_that_left_the_group_does_not_block_the_call() {
        let (signal, limit) = (Signal::default(), Duration::from_mins(10));
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("pid");
        let command = format!(
            "setsid sh -c 'echo $$ > {0}; exec sleep 600' & while [ ! -s {0} ]; do :; done; exit 1",
            file.display()
        );
        call(&command, "", (&signal, limit)).unwrap_err();
        let pid = std::fs::read_to_string(&file).unwrap();
        assert!(runs(&pid), "who leaves the group on purpose goes on");
        let killed = std::process::Command::new("kill").arg(pid.trim()).status();
        assert!(killed.unwrap().success());
    }

    #[test]
    fn much_error_output_does_not_block_the_command() {
        let (signal, limit) = (Signal::default(), Duration::from_mins(10));
        let much = "head -c 200000 /dev/zero >&2";
        assert_eq!(call(&format!("{much}; exit 0"), "", (&signal, limit)), Ok(()));
        let problem = call(&format!("echo no paper >&2; {much}; exit 3"), "", (&signal, limit));
        assert!(problem.unwrap_err().contains("no paper"));
    }

    #[test]
    fn a_long_input_is_read_whole_by_a_command_that_writes_first() {
        let limits = (&Signal::default(), Duration::from_mins(10));
        let told = "x".repeat(1 << 20);
        let ended = super::call("head -c 200000 /dev/zero; echo; wc -c", &told, limits).unwrap();
        assert_eq!(ended.last_line, told.len().to_string());
        assert_eq!(call("exit 0", &told, limits), Ok(()), "need not be read");
    }

    #[test]
    fn a_hanging_command_is_killed_with_its_children() {
        let limit = Duration::from_millis(60);
        let hanging = "sleep 600 & sleep 600";
        let problem = call(hanging, "", (&Signal::default(), limit)).unwrap_err();
        assert_eq!(problem, "it took longer than 0.06 s");
        let stopping = Signal::default();
        stopping.stop();
        let long = Duration::from_mins(10);
        assert!(call("sleep 600", "", (&stopping, long)).is_err(), "a desk that stops waits a moment only");
    }
}

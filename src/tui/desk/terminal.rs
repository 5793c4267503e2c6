//! Terminal of the desk, restored on every way out.
//!
//! The terminal is restored in a fixed order: mouse, raw mode, alternate screen. That happens on quitting, after a
//! panic, on a signal, and while suspended.

use std::io::{self, BufWriter, IsTerminal, Stdout, Write};
use std::sync::Once;

use crossterm::cursor::Show;
use crossterm::event::{
    DisableBracketedPaste, DisableFocusChange, DisableMouseCapture, EnableBracketedPaste, EnableFocusChange,
};
use crossterm::execute;
use crossterm::style::Print;
use crossterm::terminal::{
    EndSynchronizedUpdate, EnterAlternateScreen, LeaveAlternateScreen, disable_raw_mode, enable_raw_mode, size,
};
use ratatui::layout::{Rect, Size};

use crate::tui::app::App;
use crate::tui::app::frame;
use crate::tui::data::msg::Mouse;
use crate::tui::desk::terminal::frames::Frames;

pub(super) mod frames;

/// Enables reports of presses, drags and the wheel with coordinates of any size, without bare movement.
const MOUSE_ON: &str = "\x1b[?1000h\x1b[?1002h\x1b[?1006h";
/// Queries the background colour; a terminal that supports this answers among the keys.
const ASK_GROUND: &str = "\x1b]11;?\x07";
/// Buffer for a frame, in bytes; most frames are far smaller.
const FRAME_BYTES: usize = 64 * 1024;

static PANIC_HOOK: Once = Once::new();

/// Terminal in raw mode, restored on drop.
pub(super) struct Screen {
    frames: Frames<BufWriter<Stdout>>,
}

/// Reason why there is no usable terminal.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub(crate) enum NoTerminal {
    /// The output is not a terminal.
    #[error(
        "the desk needs a terminal to draw on, and its output goes elsewhere; run it in a terminal, or use a command: willcall help"
    )]
    Output,
    /// The input is not a terminal.
    #[error(
        "the desk needs a terminal to read keys from, and its input comes from elsewhere; run it in a terminal, or use a command: willcall help"
    )]
    Input,
    /// The terminal only prints lines.
    #[error(
        "this terminal prints lines only (TERM=dumb); set TERM to what it is, like xterm-256color, or use a command: willcall help"
    )]
    Dumb,
}

/// Checks that input and output are a usable terminal.
pub(crate) fn needed() -> Result<(), NoTerminal> {
    if !io::stdout().is_terminal() {
        Err(NoTerminal::Output)
    } else if !io::stdin().is_terminal() {
        Err(NoTerminal::Input)
    } else if std::env::var("TERM").is_ok_and(|term| term == "dumb") {
        Err(NoTerminal::Dumb)
    } else {
        Ok(())
    }
}

impl Screen {
    /// Enters raw mode and the alternate screen.
    pub(super) fn enter(mouse: Mouse) -> io::Result<Self> {
        PANIC_HOOK.call_once(|| {
            let before = std::panic::take_hook();
            std::panic::set_hook(Box::new(move |panic| {
                leave();
                before(panic);
            }));
        });
        take(mouse)?;
        let out = BufWriter::with_capacity(FRAME_BYTES, io::stdout());
        Ok(Self { frames: Frames::new(out) })
    }

    /// Size of the terminal.
    pub(super) fn size() -> io::Result<Size> {
        size().map(Size::from)
    }

    /// Draws the cells that have changed.
    pub(super) fn draw(&mut self, app: &mut App) -> io::Result<()> {
        let area = Rect::from((ratatui::layout::Position::ORIGIN, Self::size()?));
        let view = |area, buffer: &mut _| frame::draw(app, area, buffer);
        let targets = self.frames.draw(area, view)?;
        app.drawn(targets);
        Ok(())
    }

    /// Clears the screen, so that the next frame is drawn in full.
    pub(super) fn clear(&mut self) -> io::Result<()> {
        self.frames.clear()
    }

    /// Takes the mouse, or gives it to the terminal.
    pub(super) fn mouse(&mut self, mouse: Mouse) -> io::Result<()> {
        match mouse {
            Mouse::On => execute!(self.frames.out(), Print(MOUSE_ON)),
            Mouse::Off => execute!(self.frames.out(), DisableMouseCapture),
        }
    }

    /// Queries the background colour, in terminals known not to print the query.
    pub(super) fn ask_ground(&mut self) -> io::Result<()> {
        let mute = std::env::var("TERM").is_ok_and(|term| term == "linux" || term.starts_with("vt"));
        if mute {
            return Ok(());
        }
        execute!(self.frames.out(), Print(ASK_GROUND))
    }

    /// Copies a text to the terminal's clipboard (OSC 52), also over ssh.
    pub(super) fn copy(&mut self, text: &str) -> io::Result<()> {
        execute!(self.frames.out(), Print(format!("\x1b]52;c;{}\x07", base64(text.as_bytes()))))
    }

    /// Restores the terminal, and suspends the program as Ctrl-Z does.
    pub(super) fn suspend() {
        leave();
        let own = rustix::process::getpid();
        // without a suspension the program goes on
        let _ = rustix::process::kill_process(own, rustix::process::Signal::TSTP);
    }

    /// Enters raw mode again after a suspension.
    pub(super) fn resume(&mut self, mouse: Mouse) -> io::Result<()> {
        take(mouse)?;
        self.clear()
    }
}

impl Drop for Screen {
    fn drop(&mut self) {
        leave();
    }
}

fn take(mouse: Mouse) -> io::Result<()> {
    enable_raw_mode()?;
    let mut out = io::stdout();
    execute!(out, EnterAlternateScreen, EnableBracketedPaste, EnableFocusChange)?;
    if mouse == Mouse::On {
        execute!(out, Print(MOUSE_ON))?;
    }
    Ok(())
}

/// Restores the terminal; a failed step does not keep the next one from being tried.
fn leave() {
    let mut out = io::stdout();
    let _ = execute!(out, EndSynchronizedUpdate, DisableMouseCapture, DisableFocusChange, DisableBracketedPaste);
    let _ = disable_raw_mode();
    let _ = execute!(out, LeaveAlternateScreen, Show);
    let _ = out.flush();
}

fn base64(bytes: &[u8]) -> String {
    const DIGITS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let mut text = String::new();
    for chunk in bytes.chunks(3) {
        let mut group = 0u32;
        for place in 0..3 {
            group = (group << 8) | u32::from(chunk.get(place).copied().unwrap_or(0));
        }
        for place in 0..4 {
            let digit = usize::try_from((group >> (18 - 6 * place)) & 63).unwrap_or(0);
            let letter = DIGITS.get(digit).copied().map_or('=', char::from);
            text.push(if place <= chunk.len() { letter } else { '=' });
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use std::io::Read;

    use portable_pty::{CommandBuilder, PtySize, native_pty_system};

    use super::{Screen, base64};
    use crate::tui::data::msg::Mouse;

    const IN_A_TERMINAL: &str = "tui::desk::terminal::tests::a_desk_that_panics";

    #[test]
    #[ignore = "the next test runs it in a pseudo-terminal"]
    fn a_desk_that_panics() {
        let _screen = Screen::enter(Mouse::On).unwrap();
        panic!("as planned");
    }

    #[test]
    fn after_a_panic_the_terminal_is_restored_before_the_panic_is_printed() {
        let pair = native_pty_system().openpty(PtySize::default()).unwrap();
        let mut command = CommandBuilder::new(std::env::current_exe().unwrap());
        command.args(["--ignored", "--exact", "--nocapture", IN_A_TERMINAL]);
        let mut child = pair.slave.spawn_command(command).unwrap();
        drop(pair.slave);
        let mut told = Vec::new();
        // Linux fails reads from a terminal that no process holds open
        let _ = pair.master.try_clone_reader().unwrap().read_to_end(&mut told);
        assert!(!child.wait().unwrap().success());
        let told = String::from_utf8_lossy(&told);
        let at = |text: &str| told.find(text).unwrap_or_else(|| panic!("no {text:?} in {told:?}"));
        let order = ["\x1b[?1049h", "\x1b[?1000l", "\x1b[?2004l", "\x1b[?1049l", "as planned"].map(at);
        assert!(order.is_sorted(), "{order:?} in {told:?}");
    }

    #[test]
    fn the_clipboard_is_encoded_in_base64() {
        assert_eq!(base64(b"F9"), "Rjk=");
        assert_eq!(base64(b"F10"), "RjEw");
        assert_eq!(base64(b"F"), "Rg==");
        assert_eq!(base64(b""), "");
    }
}

//! Writes frames to the terminal, only the cells that differ from the frame before.
//!
//! # Invariants
//! A frame equal to the one before writes no bytes: no update, no colour, no cursor move. So an idle desk costs a
//! slow line nothing, however often it is drawn. No letter that steers a terminal or turns the direction of text is
//! written, whatever program stored it.

use std::cell::RefCell;
use std::io::{self, Write};
use std::rc::Rc;

use crossterm::cursor::Hide;
use crossterm::queue;
use crossterm::terminal::{BeginSynchronizedUpdate, Clear, ClearType, EndSynchronizedUpdate};
use ratatui::backend::{Backend, CrosstermBackend};
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;

use crate::domain::text::{harmless, is_unsafe};

/// Frame writer of a terminal.
pub(in crate::tui::desk) struct Frames<W: Write> {
    backend: CrosstermBackend<W>,
    shown: Buffer,
    next: Buffer,
}

impl<W: Write> Frames<W> {
    /// Writer for an empty terminal.
    pub(in crate::tui::desk) fn new(out: W) -> Self {
        Self { backend: CrosstermBackend::new(out), shown: Buffer::default(), next: Buffer::default() }
    }

    /// Backend that writes to the terminal.
    pub(in crate::tui::desk) const fn out(&mut self) -> &mut CrosstermBackend<W> {
        &mut self.backend
    }

    /// Draws the changed cells, in one synchronized update.
    pub(in crate::tui::desk) fn draw<T>(
        &mut self,
        area: Rect,
        view: impl FnOnce(Rect, &mut Buffer) -> T,
    ) -> io::Result<T> {
        if self.shown.area != area {
            self.clear()?;
            self.shown.resize(area);
        }
        self.next.resize(area);
        self.next.reset();
        let drawn = view(area, &mut self.next);
        for cell in self.next.content.iter_mut().filter(|cell| cell.symbol().contains(is_unsafe)) {
            let safe = harmless(cell.symbol());
            cell.set_symbol(if safe.is_empty() { " " } else { &safe });
        }
        let mut changes = self.shown.diff_iter(&self.next).peekable();
        if changes.peek().is_some() {
            queue!(self.backend, BeginSynchronizedUpdate)?;
            self.backend.draw(changes)?;
            queue!(self.backend, EndSynchronizedUpdate)?;
            Write::flush(&mut self.backend)?;
            std::mem::swap(&mut self.shown, &mut self.next);
        }
        Ok(drawn)
    }

    /// Hides the cursor, clears the terminal and drops the previous frame, so that the next one is drawn in full.
    /// The cursor position is not queried, as the answer would come among the keys.
    pub(in crate::tui::desk) fn clear(&mut self) -> io::Result<()> {
        queue!(self.backend, Hide, Clear(ClearType::All))?;
        self.shown.reset();
        Write::flush(&mut self.backend)
    }
}

/// Output that keeps the written bytes.
#[derive(Clone, Default)]
pub(in crate::tui::desk) struct Paper(Rc<RefCell<Vec<u8>>>);

impl Paper {
    /// Takes what was written.
    pub(in crate::tui::desk) fn tear(&self) -> String {
        String::from_utf8_lossy(&self.0.take()).into_owned()
    }
}

impl Write for Paper {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.borrow_mut().extend_from_slice(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use ratatui::buffer::Buffer;
    use ratatui::layout::Rect;
    use ratatui::style::Style;

    use super::{Frames, Paper};
    use crate::domain::text::is_unsafe;

    const AREA: Rect = Rect::new(0, 0, 20, 3);

    /// Frame writer under test; each frame has one line of text.
    struct Terminal {
        paper: Paper,
        frames: Frames<Paper>,
    }

    impl Terminal {
        fn new() -> Self {
            let paper = Paper::default();
            Self { frames: Frames::new(paper.clone()), paper }
        }

        /// Bytes written for a frame.
        fn writes(&mut self, text: &str) -> String {
            self.paper.tear();
            let view = |_: Rect, buffer: &mut Buffer| {
                buffer.set_string(0, 0, text, Style::new());
            };
            self.frames.draw(AREA, view).unwrap();
            self.paper.tear()
        }
    }

    #[test]
    fn an_unchanged_frame_writes_nothing() {
        let mut terminal = Terminal::new();
        assert!(terminal.writes("19:41").contains("19:41"));
        assert_eq!(terminal.writes("19:41"), "");
        assert_eq!(terminal.writes("19:41"), "");
        let minute = terminal.writes("19:42");
        assert!(minute.contains("\x1b[1;5H2") && !minute.contains("19"));
        assert_eq!(terminal.writes("19:42"), "");
    }

    #[test]
    fn no_letter_reaches_the_terminal_that_steers_it() {
        let mut terminal = Terminal::new();
        let written = terminal.writes("A\u{e0041}\u{fe0f}d\u{202e}a-\u{9b}31m\u{1b}[2J\u{2066}W\u{e000}\u{200f}");
        let steers = |letter| letter != '\u{1b}' && is_unsafe(letter);
        assert!(!written.contains(steers), "{written:?}");
        assert!(written.contains("Ada-31m[2JW"), "{written:?}");
        // a joiner of letters stays
        assert!(terminal.writes("\u{645}\u{6cc}\u{200c}").contains("\u{6cc}\u{200c}"));
    }

    #[test]
    fn a_cleared_terminal_is_drawn_in_full() {
        let mut terminal = Terminal::new();
        terminal.writes("Hamlet");
        terminal.frames.clear().unwrap();
        assert!(terminal.writes("Hamlet").contains("Hamlet"));
    }
}

//! Recordings of a screen as asciicast v2: a header, then a line for each frame with its time and its bytes.

use std::fmt::Write as _;
use std::io;
use std::time::Duration;

use ratatui::buffer::Buffer;
use ratatui::layout::Size;
use serde_json::json;

use crate::tui::desk::terminal::frames::{Frames, Paper};

/// A recording in the making.
pub(crate) struct Recording {
    frames: Frames<Paper>,
    paper: Paper,
    text: String,
}

impl Recording {
    pub(crate) fn begin(size: Size, title: &str) -> Self {
        let header = json!({
            "version": 2,
            "width": size.width,
            "height": size.height,
            "title": title,
            "env": { "TERM": "xterm-256color" },
        });
        let paper = Paper::default();
        Self { frames: Frames::new(paper.clone()), paper, text: format!("{header}\n") }
    }

    /// Adds a frame; one like the frame before adds nothing.
    ///
    /// # Errors
    /// None: bytes are kept in memory.
    pub(crate) fn frame(&mut self, at: Duration, drawn: Buffer) -> io::Result<()> {
        self.frames.draw(drawn.area, |_, buffer| *buffer = drawn)?;
        let written = self.paper.tear();
        if !written.is_empty() {
            let _ = writeln!(self.text, "{}", json!([at.as_secs_f64(), "o", written]));
        }
        Ok(())
    }

    /// The file's text.
    pub(crate) fn end(self) -> String {
        self.text
    }
}

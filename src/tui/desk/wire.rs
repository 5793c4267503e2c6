//! Decodes terminal input, so that only keys the operator pressed reach a command.
//!
//! On slow lines escape sequences arrive cut: an arrow as `Esc`, `[`, `A`, a mouse report as `Esc` and ten keys,
//! five of them digits. tmux holds an Esc back and sends it with the next key as Alt. Older terminals send Ctrl-H
//! for Backspace. All of that is repaired here and nowhere else.

use std::time::{Duration, Instant};

use crossterm::event::{Event, KeyCode, KeyEvent, KeyEventKind, KeyModifiers, MouseButton, MouseEvent, MouseEventKind};
use ratatui::layout::{Position, Size};

use crate::tui::data::msg::Msg;
use crate::tui::desk::wire::reply::{Heard, Reply};
use crate::tui::kit::input::{Key, Pointer, PointerAct};

mod reply;

/// Time after a bare Esc within which `[` or `O` starts a cut sequence.
const CUT_WITHIN: Duration = Duration::from_millis(100);
/// Maximum length of a cut sequence, in characters.
const CUT_CHARS_MAX: usize = 32;

/// Decoder of terminal input, one event at a time, with the state of a possible cut sequence.
#[derive(Debug, Default)]
pub(crate) struct Wire {
    state: WireState,
}

#[derive(Debug, Default)]
enum WireState {
    #[default]
    Plain,
    /// A bare Esc came at this time.
    Escaped(Instant),
    /// Inside a cut sequence, with the number of characters so far.
    Cut(usize),
    /// Inside the terminal's answer to a query.
    Answering(Reply),
}

impl Wire {
    /// Decodes an event; `at` is the time of any steady clock.
    pub(crate) fn read(&mut self, event: Event, at: Instant) -> Vec<Msg> {
        match event {
            Event::Key(key) if key.kind != KeyEventKind::Release => self.key(key, at),
            Event::Paste(text) => vec![Msg::Paste(text)],
            Event::Mouse(mouse) => pointer(mouse).map(Msg::Pointer).into_iter().collect(),
            Event::Resize(width, height) => vec![Msg::Resize(Size { width, height })],
            Event::Key(_) | Event::FocusGained | Event::FocusLost => vec![],
        }
    }

    fn key(&mut self, event: KeyEvent, at: Instant) -> Vec<Msg> {
        match self.hears(&event, at) {
            Some(Heard::More) => return vec![],
            Some(Heard::Background(ground)) => {
                return ground.map(Msg::Background).into_iter().collect();
            }
            None => {}
        }
        if self.swallows(&event, at) {
            return vec![];
        }
        let key = Key::normal(event);
        if event.modifiers.contains(KeyModifiers::ALT) {
            return vec![Msg::Key(Key::plain(KeyCode::Esc)), Msg::Key(key)];
        }
        if key == Key::plain(KeyCode::Esc) {
            self.state = WireState::Escaped(at);
        }
        vec![Msg::Key(key)]
    }

    /// Swallows the keys of a terminal's answer; the answer begins with `Esc`, `]` or Alt-`]`.
    fn hears(&mut self, event: &KeyEvent, at: Instant) -> Option<Heard> {
        if let WireState::Answering(reply) = &mut self.state {
            let heard = reply.hear(event);
            if heard != Some(Heard::More) {
                self.state = WireState::Plain;
            }
            return heard;
        }
        let escaped = match self.state {
            WireState::Escaped(since) => at.duration_since(since) <= CUT_WITHIN,
            WireState::Plain | WireState::Cut(_) | WireState::Answering(_) => false,
        };
        let begins = event.code == KeyCode::Char(']') && (escaped || event.modifiers.contains(KeyModifiers::ALT));
        begins.then(|| {
            self.state = WireState::Answering(Reply::default());
            Heard::More
        })
    }

    fn swallows(&mut self, event: &KeyEvent, at: Instant) -> bool {
        let (swallowed, next) = match (&self.state, event.code.as_char()) {
            (WireState::Escaped(since), Some('[' | 'O')) if at.duration_since(*since) <= CUT_WITHIN => {
                (true, WireState::Cut(1))
            }
            (WireState::Cut(count), Some(character)) if *count < CUT_CHARS_MAX => {
                (true, WireState::after(character, *count))
            }
            (WireState::Plain | WireState::Escaped(_) | WireState::Cut(_) | WireState::Answering(_), _) => {
                (false, WireState::Plain)
            }
        };
        self.state = next;
        swallowed
    }
}

impl WireState {
    const fn after(character: char, count: usize) -> Self {
        if character.is_ascii_alphabetic() || character == '~' { Self::Plain } else { Self::Cut(count + 1) }
    }
}

fn pointer(mouse: MouseEvent) -> Option<Pointer> {
    let what = match mouse.kind {
        MouseEventKind::Down(MouseButton::Left) => PointerAct::Press,
        MouseEventKind::Drag(MouseButton::Left) => PointerAct::Drag,
        MouseEventKind::Up(MouseButton::Left) => PointerAct::Release,
        MouseEventKind::ScrollUp => PointerAct::WheelUp,
        MouseEventKind::ScrollDown => PointerAct::WheelDown,
        MouseEventKind::Down(_)
        | MouseEventKind::Up(_)
        | MouseEventKind::Drag(_)
        | MouseEventKind::Moved
        | MouseEventKind::ScrollLeft
        | MouseEventKind::ScrollRight => return None,
    };
    Some(Pointer { at: Position { x: mouse.column, y: mouse.row }, what })
}

#[cfg(test)]
mod tests {
    use std::time::{Duration, Instant};

    use crossterm::event::{Event, KeyCode, KeyEvent, KeyModifiers};

    use super::Wire;
    use crate::tui::data::msg::Msg;
    use crate::tui::kit::theme::Background;

    fn keys(events: &[(KeyCode, KeyModifiers, u64)]) -> Vec<String> {
        let start = Instant::now();
        let mut wire = Wire::default();
        events
            .iter()
            .flat_map(|(code, modifiers, millis)| {
                wire.read(Event::Key(KeyEvent::new(*code, *modifiers)), start + Duration::from_millis(*millis))
            })
            .map(|msg| {
                let Msg::Key(key) = msg else { panic!("{msg:?} is no key") };
                key.to_string()
            })
            .collect()
    }

    fn typed(text: &str, millis: u64) -> Vec<(KeyCode, KeyModifiers, u64)> {
        text.chars()
            .map(|letter| {
                let code = if letter == '^' { KeyCode::Esc } else { KeyCode::Char(letter) };
                (code, KeyModifiers::NONE, millis)
            })
            .collect()
    }

    #[test]
    fn a_cut_sequence_is_swallowed_up_to_its_final_letter() {
        assert_eq!(keys(&typed("^[Ab", 0)), ["Esc", "b"]);
        assert_eq!(keys(&typed("^[<0;52;15Mb", 0)), ["Esc", "b"]);
        assert_eq!(keys(&typed("^[3~b", 0)), ["Esc", "b"]);
        assert_eq!(keys(&typed("^OAb", 0)), ["Esc", "b"]);
    }

    #[test]
    fn a_bracket_typed_later_than_the_limit_after_esc_is_a_bracket() {
        let mut events = typed("^", 0);
        events.extend(typed("[A", 150));
        assert_eq!(keys(&events), ["Esc", "[", "A"]);
    }

    #[test]
    fn a_cut_sequence_without_an_end_is_swallowed_for_32_characters() {
        let text = format!("^[{}b", "1".repeat(31));
        assert_eq!(keys(&typed(&text, 0)), ["Esc", "b"]);
    }

    /// Messages from the keys of a terminal's answer.
    fn answered(text: &str, end: (KeyCode, KeyModifiers)) -> Vec<Msg> {
        let mut wire = Wire::default();
        let begin = (KeyCode::Char(']'), KeyModifiers::ALT);
        let letters = text.chars().map(|letter| (KeyCode::Char(letter), KeyModifiers::NONE));
        std::iter::once(begin)
            .chain(letters)
            .chain([end, (KeyCode::Char('b'), KeyModifiers::NONE)])
            .flat_map(|(code, held)| wire.read(Event::Key(KeyEvent::new(code, held)), Instant::now()))
            .collect()
    }

    #[test]
    fn a_terminal_answer_sets_the_background_and_types_nothing() {
        let bell = (KeyCode::Char('g'), KeyModifiers::CONTROL);
        let string_end = (KeyCode::Char('\\'), KeyModifiers::ALT);
        for end in [bell, string_end] {
            let heard = answered("11;rgb:1e1e/1e1e/1e1e", end);
            assert!(matches!(heard.as_slice(), [Msg::Background(Background::Dark), Msg::Key(_)]), "{heard:?}");
        }
        let nothing = answered("11;?", bell);
        assert!(matches!(nothing.as_slice(), [Msg::Key(_), ..]), "{nothing:?}");
    }

    #[test]
    fn a_typed_alt_bracket_swallows_no_other_key() {
        let alt = KeyModifiers::ALT;
        let none = KeyModifiers::NONE;
        assert_eq!(keys(&[(KeyCode::Char(']'), alt, 0), (KeyCode::Char('b'), none, 1)]), ["b"]);
        assert_eq!(keys(&typed("^]11;rgb:ff/ff/ff", 0)), ["Esc"]);
    }

    #[test]
    fn alt_is_read_as_esc_and_then_the_key() {
        assert_eq!(keys(&[(KeyCode::Char('n'), KeyModifiers::ALT, 0)]), ["Esc", "n"]);
        assert_eq!(keys(&[(KeyCode::Enter, KeyModifiers::ALT, 0)]), ["Esc", "Enter"]);
    }

    #[test]
    fn ctrl_h_erases_and_a_line_feed_is_not_enter() {
        let ctrl = KeyModifiers::CONTROL;
        assert_eq!(keys(&[(KeyCode::Char('h'), ctrl, 0), (KeyCode::Char('j'), ctrl, 1)]), ["Backspace", "Ctrl-J"]);
        assert_eq!(keys(&[(KeyCode::BackTab, KeyModifiers::SHIFT, 0)]), ["Shift-Tab"]);
    }
}

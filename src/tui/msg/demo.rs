//! What the demo tells the screen, and what the screen wants of it.

/// Where the demo stands.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct DemoState {
    /// How fast the crowd is, as people read it: `x4`; empty when there is none.
    pub crowd: String,
    /// Whether the crowd or the tour stands still.
    pub paused: bool,
    /// What the tour says now.
    pub caption: Option<String>,
    /// Which step of the tour this is and how many there are; none when no tour runs.
    pub step: Option<(u32, u32)>,
}

/// What the operator wants of the demo.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DemoCommand {
    /// Pause, or go on.
    Pause,
    /// One step of the tour.
    Step,
    /// Faster.
    Faster,
    /// Slower.
    Slower,
    /// Leave the tour; the house is the operator's.
    Leave,
}

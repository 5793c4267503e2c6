//! State of the demo, and commands to it.

#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct DemoState {
    /// Speed of the crowd: `x4`; empty without a crowd.
    pub crowd: String,
    /// True if the crowd or tour is paused.
    pub paused: bool,
    /// Caption of the tour's current step.
    pub caption: Option<String>,
    /// Number of the tour's current step, and of all; none without a tour.
    pub step: Option<(u32, u32)>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum DemoCommand {
    Pause,
    /// Run one step of the tour.
    Step,
    Faster,
    Slower,
    /// Leave the tour and hand the house to the operator.
    Leave,
}

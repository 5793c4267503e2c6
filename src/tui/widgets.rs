//! Widgets draw values and know no screen.

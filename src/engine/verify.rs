//! What must always be true, checked on a live database.

//! Data: what this desk knows of the house, and how it asks. Draws nothing.

pub(crate) mod compound;
pub(crate) mod desk_act;
pub(crate) mod left;
pub(crate) mod log;
pub(crate) mod msg;
pub(crate) mod own_cart;
pub(crate) mod reads;
pub(crate) mod runtime;
pub(crate) mod shown_list;
pub(crate) mod stations;
pub(crate) mod ticket;
pub(crate) mod told;

//! What Linux and macOS share.

pub(crate) mod limits;
pub(crate) mod parent;
pub(crate) mod session;

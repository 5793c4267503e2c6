//! Location of a house: a file on this machine, or a database on a server.

use std::convert::Infallible;
use std::fmt;
use std::path::{Path, PathBuf};
use std::sync::Arc;

pub use crate::store::sqlite::{COMPANIONS, companion, folder_of, make_file, share};

use crate::store::fault::{Fault, Missing};
use crate::store::port::Database;
use crate::store::postgres::{Address, PgServer};
use crate::store::sqlite::SqliteFile;
use crate::store::{postgres, sqlite};

/// Location of a house.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Location {
    File(PathBuf),
    Server(Box<Address>),
}

/// Error of opening a house.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum OpenError {
    #[error(transparent)]
    File(#[from] sqlite::FileError),
    #[error(transparent)]
    Server(#[from] postgres::LoginError),
    /// Address of an unsupported kind of server.
    #[error("{0}:// is no address of a house; name a file, or a server as postgres://USER@HOST/DATABASE")]
    OtherScheme(String),
    /// A thread could not be started, or the house could not be read.
    #[error("{place} cannot be opened: {}", fault.said())]
    Other { place: String, fault: Fault },
}

impl OpenError {
    /// Word for programs.
    pub fn word(&self) -> &'static str {
        match self {
            Self::File(error) => error.word(),
            Self::Server(error) => error.word(),
            Self::OtherScheme(_) => "bad_address",
            Self::Other { fault, .. } => fault.word(),
        }
    }

    /// Returns whether the machine, its disk or the network is at fault rather than the request:
    /// the same command may succeed later.
    pub const fn is_outage(&self) -> bool {
        match self {
            Self::File(error) => error.is_outage(),
            Self::Server(error) => error.is_outage(),
            Self::OtherScheme(_) => false,
            Self::Other { .. } => true,
        }
    }

    /// File or folder at fault.
    pub const fn path(&self) -> Option<&PathBuf> {
        match self {
            Self::File(error) => error.path(),
            Self::Server(_) | Self::OtherScheme(_) | Self::Other { .. } => None,
        }
    }

    /// Returns whether the only problem is that there is no house.
    pub const fn is_missing(&self) -> bool {
        matches!(self, Self::File(sqlite::FileError::Missing(_)) | Self::Server(postgres::LoginError::Missing { .. }))
    }

    /// Returns whether the house on a server is to be moved to this program, which its people have to ask for.
    pub const fn is_older(&self) -> bool {
        matches!(self, Self::Server(postgres::LoginError::Older { .. }))
    }

    /// Error for a missing folder.
    pub fn no_folder(folder: &Path) -> Self {
        sqlite::FileError::NoFolder(folder.to_owned()).into()
    }
}

impl Location {
    /// Parses the address of a server, or else a file name.
    pub fn parse(text: &str) -> Result<Self, OpenError> {
        if Address::is_meant(text) {
            Ok(Self::Server(Box::new(Address::parse(text)?)))
        } else if let Some((scheme, _)) = text.split_once("://") {
            // the rest is not repeated, because it may contain a password
            Err(OpenError::OtherScheme(scheme.to_owned()))
        } else {
            Ok(Self::File(text.into()))
        }
    }

    /// Address as written, possibly with a password: only for processes we start.
    pub fn spelled(&self) -> String {
        match self {
            Self::File(path) => path.display().to_string(),
            Self::Server(address) => address.spelled().to_owned(),
        }
    }

    /// Opens or creates the house, and migrates its schema.
    ///
    /// # Errors
    /// Every problem with the file or server.
    pub fn open(&self, missing: Missing) -> Result<Arc<dyn Database>, OpenError> {
        Ok(match self {
            Self::File(path) => Arc::new(SqliteFile::open(path, missing)?),
            Self::Server(address) => Arc::new(PgServer::open(address, missing)?),
        })
    }
}

/// Address for display, without the password.
impl fmt::Display for Location {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::File(path) => path.display().fmt(f),
            Self::Server(address) => address.fmt(f),
        }
    }
}

impl From<PathBuf> for Location {
    fn from(path: PathBuf) -> Self {
        Self::File(path)
    }
}

impl From<&PathBuf> for Location {
    fn from(path: &PathBuf) -> Self {
        Self::File(path.clone())
    }
}

impl From<&Path> for Location {
    fn from(path: &Path) -> Self {
        Self::File(path.to_owned())
    }
}

impl TryFrom<&str> for Location {
    type Error = OpenError;

    fn try_from(text: &str) -> Result<Self, OpenError> {
        Self::parse(text)
    }
}

impl TryFrom<String> for Location {
    type Error = OpenError;

    fn try_from(text: String) -> Result<Self, OpenError> {
        Self::parse(&text)
    }
}

impl From<Infallible> for OpenError {
    fn from(never: Infallible) -> Self {
        match never {}
    }
}

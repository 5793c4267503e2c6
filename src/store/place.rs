//! Where a house is: a file on this machine, or a server's database.

use std::fmt;
use std::path::{Path, PathBuf};
use std::sync::Arc;

pub use crate::store::sqlite::{COMPANIONS, companion, folder_of, make_file, share};

use crate::store::postgres::{Address, PgServer};
use crate::store::sqlite::SqliteFile;
use crate::store::{Database, Fault, Missing, postgres, sqlite};

/// Where a house is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Location {
    /// In a file.
    File(PathBuf),
    /// On a server.
    Server(Box<Address>),
}

/// The house cannot be opened.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum OpenError {
    /// A problem with the file.
    #[error(transparent)]
    File(#[from] sqlite::FileError),
    /// A problem with the server.
    #[error(transparent)]
    Server(#[from] postgres::LoginError),
    /// An address of another kind of server.
    #[error(
        "{0}:// is no address of a house; name a file, or a server as postgres://USER@HOST/DATABASE"
    )]
    OtherScheme(String),
    /// The machine gave no thread, or the house could not be read.
    #[error("{place} cannot be opened: {}", fault.said())]
    Other {
        /// Where it is.
        place: String,
        /// The problem that was met.
        fault: Fault,
    },
}

impl OpenError {
    /// The error's one word, for programs.
    #[must_use]
    pub fn word(&self) -> &'static str {
        match self {
            Self::File(error) => error.word(),
            Self::Server(error) => error.word(),
            Self::OtherScheme(_) => "bad_address",
            Self::Other { fault, .. } => fault.word(),
        }
    }

    /// Whether the machine, its disk or the way to a server is at fault, and not what was asked for: the same command
    /// may be done later.
    #[must_use]
    pub const fn is_outage(&self) -> bool {
        match self {
            Self::File(error) => error.is_outage(),
            Self::Server(error) => error.is_outage(),
            Self::OtherScheme(_) => false,
            Self::Other { .. } => true,
        }
    }

    /// The file or folder that it is about.
    #[must_use]
    pub const fn path(&self) -> Option<&PathBuf> {
        match self {
            Self::File(error) => error.path(),
            Self::Server(_) | Self::OtherScheme(_) | Self::Other { .. } => None,
        }
    }

    /// Whether all is well, but that there is no house.
    #[must_use]
    pub const fn is_missing(&self) -> bool {
        matches!(
            self,
            Self::File(sqlite::FileError::Missing(_))
                | Self::Server(postgres::LoginError::Missing { .. })
        )
    }

    /// There is no such folder for a file.
    #[must_use]
    pub fn no_folder(folder: &Path) -> Self {
        sqlite::FileError::NoFolder(folder.to_owned()).into()
    }
}

impl Location {
    /// Parses an address of a server, or else the name of a file.
    pub fn parse(text: &str) -> Result<Self, OpenError> {
        if Address::is_meant(text) {
            Ok(Self::Server(Box::new(Address::parse(text)?)))
        } else if let Some((scheme, _)) = text.split_once("://") {
            // no more of it is repeated: it may have a password
            Err(OpenError::OtherScheme(scheme.to_owned()))
        } else {
            Ok(Self::File(text.into()))
        }
    }

    /// As it was written, with a password that may be in it: for a process of our own, and for nobody's eyes.
    #[must_use]
    pub fn spelled(&self) -> String {
        match self {
            Self::File(path) => path.display().to_string(),
            Self::Server(address) => address.spelled().to_owned(),
        }
    }

    /// Opens or makes the house, and brings its schema up to date.
    ///
    /// # Errors
    /// Each thing that can be wrong with it.
    pub fn open(&self, missing: Missing) -> Result<Arc<dyn Database>, OpenError> {
        Ok(match self {
            Self::File(path) => Arc::new(SqliteFile::open(path, missing)?),
            Self::Server(address) => Arc::new(PgServer::open(address, missing)?),
        })
    }
}

/// For people; a password is left out.
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

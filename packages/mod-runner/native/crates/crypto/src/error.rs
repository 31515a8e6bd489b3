use std::fmt;

/// Why an operation gave no bytes. The names are those of the standard's `DOMException`s.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CryptoError {
    /// Key material that cannot be read, is not on its curve, or contradicts itself.
    Data,
    /// Everything else that fails once the inputs have the right form: padding, tags, lengths.
    Operation,
    /// A name of a hash, a curve or an operation that this crate does not have.
    NotSupported,
    /// `should_stop` said so. There is no result, and no part of one.
    Interrupted,
}

impl CryptoError {
    /// The name under which the JavaScript layer receives the error.
    pub fn name(self) -> &'static str {
        match self {
            CryptoError::Data => "DataError",
            CryptoError::Operation => "OperationError",
            CryptoError::NotSupported => "NotSupportedError",
            CryptoError::Interrupted => "Interrupted",
        }
    }
}

impl fmt::Display for CryptoError {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(self.name())
    }
}

impl std::error::Error for CryptoError {}

pub type Result<T> = std::result::Result<T, CryptoError>;

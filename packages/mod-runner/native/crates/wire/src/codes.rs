//! The runner's error codes; `protocol/codes.json` says what they mean.

/// Declares an enum whose members are strings on the wire.
macro_rules! wire_names {
    ($(#[$doc:meta])* $name:ident { $($member:ident = $text:literal,)* }) => {
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, Eq, PartialEq)]
        pub enum $name { $($member,)* }

        impl $name {
            /// Every member.
            pub const ALL: &[Self] = &[$(Self::$member,)*];

            /// The name on the wire.
            #[must_use]
            pub fn as_str(self) -> &'static str {
                match self { $(Self::$member => $text,)* }
            }
        }
    };
}

wire_names! {
    /// `code` of an error message.
    ErrorCode {
        Timeout = "mod_timeout",
        OutOfMemory = "mod_out_of_memory",
        InvalidResult = "mod_invalid_result",
        Syntax = "mod_syntax_error",
        ImportRefused = "mod_import_refused",
        Invalid = "mod_invalid",
        Thrown = "mod_error",
        Cancelled = "mod_cancelled",
        Protocol = "protocol_error",
        SandboxUnavailable = "sandbox_unavailable",
        Internal = "runner_internal_error",
    }
}

wire_names! {
    /// `reason` of a protocol error.
    Reason {
        Malformed = "malformed",
        UnsupportedVersion = "unsupported_version",
        UnknownType = "unknown_type",
        InvalidMessage = "invalid_message",
        Busy = "busy",
        Bound = "bound",
        NotLoaded = "not_loaded",
        UnknownRequest = "unknown_request",
    }
}

impl Reason {
    /// Whether the runner ends after telling: nothing more on that input can be trusted.
    #[must_use]
    pub fn is_fatal(self) -> bool {
        matches!(self, Self::Malformed | Self::UnsupportedVersion)
    }
}

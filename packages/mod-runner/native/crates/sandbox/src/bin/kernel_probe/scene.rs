use std::fmt;
use std::str::FromStr;

/// What the driver has set up for its children, handed over on the command line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Scene {
    /// The driver: a process of the same user that ignores SIGUSR1.
    pub host_pid: i32,
    /// Where the driver's memory has [`SECRET`].
    pub secret_address: usize,
    /// A port on loopback where the driver listens.
    pub tcp_port: u16,
}

pub static SECRET: [u8; 16] = *b"the host's bytes";

/// A descriptor that the driver lets through to its children.
pub const INHERITED_DESCRIPTOR: i32 = 9;

impl Scene {
    /// The name of the abstract unix socket where the driver listens.
    pub fn socket_name(&self) -> String {
        format!("codex-js-kernel-probe-{}", self.host_pid)
    }
}

impl fmt::Display for Scene {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{}:{}:{}", self.host_pid, self.secret_address, self.tcp_port)
    }
}

impl FromStr for Scene {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let read = || {
            let mut parts = text.split(':');
            let scene = Self {
                host_pid: parts.next()?.parse().ok()?,
                secret_address: parts.next()?.parse().ok()?,
                tcp_port: parts.next()?.parse().ok()?,
            };
            parts.next().is_none().then_some(scene)
        };
        read().ok_or_else(|| format!("{text} is no scene"))
    }
}

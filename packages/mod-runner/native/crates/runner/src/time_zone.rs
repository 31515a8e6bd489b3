//! The time zone, found while files can still be read.

use std::path::Path;

/// Sets `TZ` where the host has not, from the system's link, and lets the C library read its file:
/// ICU asks both of them later, from inside the sandbox.
pub fn settle() {
    if std::env::var_os("TZ").is_none()
        && let Some(zone) = system_zone()
    {
        // SAFETY: no other thread exists yet.
        unsafe { std::env::set_var("TZ", zone) };
    }
    unsafe extern "C" {
        fn tzset();
    }
    // SAFETY: no other thread exists yet that could read the zone.
    unsafe { tzset() };
}

fn system_zone() -> Option<String> {
    let link = std::fs::read_link("/etc/localtime").ok()?;
    zone_of(&link)
}

/// `/usr/share/zoneinfo/Europe/Berlin` → `Europe/Berlin`.
fn zone_of(link: &Path) -> Option<String> {
    let (_, zone) = link.to_str()?.split_once("zoneinfo/")?;
    (!zone.is_empty()).then(|| zone.to_owned())
}

#[cfg(test)]
mod tests {
    use super::zone_of;
    use std::path::Path;

    #[test]
    fn names_the_zone_that_a_link_leads_to() {
        let zone = |path: &str| zone_of(Path::new(path));
        assert_eq!(
            zone("/usr/share/zoneinfo/Europe/Berlin"),
            Some("Europe/Berlin".into())
        );
        assert_eq!(
            zone("../usr/share/zoneinfo/Etc/UTC"),
            Some("Etc/UTC".into())
        );
        assert_eq!(
            zone("/var/db/timezone/zoneinfo/Asia/Tokyo"),
            Some("Asia/Tokyo".into())
        );
        assert_eq!(zone("/somewhere/else"), None);
    }
}

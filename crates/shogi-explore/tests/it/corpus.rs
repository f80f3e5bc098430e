//! The law of the fuzz target on routes, on the committed seed corpus and on changes of it.

use testing::explore_laws;

use std::fs;
use std::path::Path;

/// The committed seeds, by name.
fn seeds() -> Vec<(String, Vec<u8>)> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fuzz/corpus/explore_routes");
    let entries = fs::read_dir(&folder).unwrap().map(|entry| entry.unwrap());
    let read = entries.map(|entry| {
        (entry.file_name().to_string_lossy().into_owned(), fs::read(entry.path()).unwrap())
    });
    let mut seeds: Vec<_> = read.collect();
    seeds.sort();
    assert!(seeds.len() >= 20, "{} files in {}", seeds.len(), folder.display());
    seeds
}

/// Seeds named `bad-...` are answered by a fault, all others by an answer.
#[test]
fn explore_routes() {
    for (name, seed) in seeds() {
        // The name of the file is the only trace of a failure inside the law.
        println!("{name}");
        let status = explore_laws::explore_routes(&seed);
        assert_eq!(status != 200, name.starts_with("bad-"), "{status}");
    }
}

/// Sends so many changed seeds: with bytes replaced, removed, doubled, or the end of another seed.
fn send_changed(count: u32) {
    let seeds = seeds();
    let mut state = 1_u32;
    let mut below = |limit: usize| {
        state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        (state >> 8) as usize % limit.max(1)
    };
    let (mut answered, mut refused) = (0, 0);
    for _ in 0..count {
        let (_, mut bytes) = seeds[below(seeds.len())].clone();
        for _ in 0..=below(3) {
            let (from, to) = (below(bytes.len() + 1), below(bytes.len() + 1));
            let range = from.min(to)..from.max(to).min(from.min(to) + 8);
            match below(4) {
                0 => bytes.splice(range, [b"0\"{}[],:/ abk+\xff\n9"[below(17)]]).for_each(drop),
                1 => bytes.drain(range).for_each(drop),
                2 => bytes.splice(to..to, bytes[range].to_owned()).for_each(drop),
                _ => {
                    let other = &seeds[below(seeds.len())].1;
                    bytes.truncate(from);
                    bytes.extend_from_slice(&other[below(other.len())..]);
                }
            }
        }
        println!("{:?}", String::from_utf8_lossy(&bytes));
        match explore_laws::explore_routes(&bytes) {
            200 => answered += 1,
            _ => refused += 1,
        }
    }
    // Neither all nonsense nor all unchanged.
    assert!(answered > count / 50 && refused > count / 4, "{answered} answered, {refused} refused");
}

#[test]
fn changed_requests_are_answered_by_the_law() {
    send_changed(1000);
}

#[test]
#[ignore = "long, a hundred thousand requests"]
fn many_changed_requests_are_answered_by_the_law() {
    send_changed(100_000);
}

//! Proofs of brinkmates.

use shogi_proof::Proof;
use shogi_rules::{Shogi, parse_problem};
use shogi_solve::{Budget, prove_brink};

#[test]
fn a_brinkmate_is_proved() {
    let root = parse_problem::<Shogi>("7nl/7k1/6p2/7Pp/9/9/9/9/9 b GS2r2b3g3s3n3l15p 1");
    let root = root.unwrap();
    let (answer, proof) = prove_brink(&root, 64 << 20, &mut Budget::unlimited());
    let proof = proof.unwrap();
    assert_eq!(proof.check().unwrap().plies, answer.plies);
    let mut file = Vec::new();
    proof.write(&mut file).unwrap();
    assert!(Proof::<Shogi>::read(&file[..]).unwrap() == proof);
}

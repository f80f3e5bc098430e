//! Classifiers of positions, made on first use and kept for the next request.

use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use shogi_variants::Variant;
use shogi_variants::operations::AnyClassifier;

/// A classifier, or why there is none.
pub(crate) type MadeClassifier = Result<Arc<dyn AnyClassifier>, String>;

/// The classifiers of the variants that requests named last, at most [`Classifiers::MOST`].
///
/// One that is pushed out lives on for as long as a request works with it.
#[derive(Default)]
pub(crate) struct Classifiers {
    /// In the order of their last use, the latest at the end.
    kept: Mutex<Vec<KeptClassifier>>,
}

/// The place of a classifier, empty until the request that came first has made it.
type KeptClassifier = (Variant, Arc<OnceLock<MadeClassifier>>);

impl Classifiers {
    /// Requests describe variants as they like, so that without a bound their classifiers would fill the memory.
    pub(crate) const MOST: usize = 32;

    /// The classifier of a variant. Of several requests at once that need a new one, one makes it, and the others
    /// wait.
    pub(crate) fn get(
        &self,
        variant: Variant,
        make: impl FnOnce() -> MadeClassifier,
    ) -> MadeClassifier {
        // Not under the lock, since it takes a while.
        self.place(variant).get_or_init(make).clone()
    }

    /// The place for the classifier of a variant.
    fn place(&self, variant: Variant) -> Arc<OnceLock<MadeClassifier>> {
        let mut kept = self.kept.lock().unwrap_or_else(PoisonError::into_inner);
        let known = kept.iter().position(|(known, _)| *known == variant);
        let (_, place) =
            known.map_or_else(|| (variant, Arc::default()), |index| kept.remove(index));
        if kept.len() >= Self::MOST {
            kept.remove(0);
        }
        kept.push((variant, Arc::clone(&place)));
        place
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Barrier;
    use std::sync::atomic::{AtomicUsize, Ordering};
    use std::thread;

    use super::*;

    /// Small games that differ in their name.
    fn variant(number: usize) -> Variant {
        let start = "1k1/1p1/1P1/1K1 b - 1";
        let pieces = "P = { front = \"pawn\" }\nK = { front = \"king\", royal = true }";
        let text = format!("name = \"kept{number}\"\nstart = \"{start}\"\n[pieces]\n{pieces}\n");
        Variant::from_text(&text).unwrap()
    }

    #[test]
    fn requests_at_once_make_one_classifier() {
        let (classifiers, made) = (Classifiers::default(), AtomicUsize::new(0));
        let barrier = Barrier::new(8);
        thread::scope(|scope| {
            for _ in 0..8 {
                scope.spawn(|| {
                    barrier.wait();
                    let make = || {
                        made.fetch_add(1, Ordering::Relaxed);
                        // The others come in the meantime.
                        thread::sleep(std::time::Duration::from_millis(50));
                        Err("none".to_owned())
                    };
                    assert!(classifiers.get(Variant::Dobutsu, make).is_err());
                });
            }
        });
        assert_eq!(made.into_inner(), 1);
    }

    #[test]
    fn the_classifiers_used_last_are_kept() {
        let classifiers = Classifiers::default();
        let ask = |number: usize| {
            let mut made = false;
            let make = || {
                made = true;
                Err(number.to_string())
            };
            assert_eq!(classifiers.get(variant(number), make).err(), Some(number.to_string()));
            made
        };
        for number in 0..Classifiers::MOST {
            assert!(ask(number));
        }
        assert!(!ask(0), "it was made before");
        assert!(ask(Classifiers::MOST), "it is new");
        assert!(!ask(0), "it was used a moment ago");
        assert!(ask(1), "no other was unused for longer");
        assert_eq!(classifiers.kept.lock().unwrap().len(), Classifiers::MOST);
    }
}

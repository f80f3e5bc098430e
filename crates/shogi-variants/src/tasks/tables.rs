//! Tables that are made on first use and kept for the next question.

use std::boxed::Box;
#[cfg(feature = "tablebase")]
use std::sync::RwLock;
use std::sync::{Arc, Mutex, PoisonError};
use std::vec::Vec;

#[cfg(feature = "reach")]
use super::ClassifyTask;
#[cfg(feature = "search")]
use super::ExplainTask;
#[cfg(feature = "reach")]
use crate::operations::AnyClassifier;
#[cfg(feature = "search")]
use crate::operations::AnyEvaluation;
#[cfg(feature = "tablebase")]
use crate::operations::AnyTablebase;
use crate::operations::{AnyNumbered, Numbering};
use crate::{Error, Variant};

/// The tables of the variants that questions named last, at most [`Tables::MOST`] of each kind, and the open tablebases. A
/// table that is pushed out lives on for as long as a question works with it.
#[derive(Default)]
pub struct Tables {
    #[cfg(feature = "reach")]
    classifiers: Kept<ClassifyTask, dyn AnyClassifier>,
    numberings: Kept<Numbering, dyn AnyNumbered>,
    #[cfg(feature = "search")]
    evaluations: Kept<ExplainTask, dyn AnyEvaluation>,
    #[cfg(feature = "tablebase")]
    open: RwLock<Vec<(Variant, Arc<dyn AnyTablebase>)>>,
}

impl Tables {
    /// Questions describe variants as they like, so that without a bound their tables would fill the memory.
    pub const MOST: usize = 32;

    /// The classifier of a variant with these settings. Of several threads that need a new one, one makes it, and the others
    /// wait.
    ///
    /// # Errors
    ///
    /// If reachability is not there for the variant.
    #[cfg(feature = "reach")]
    pub fn classifier(
        &self,
        variant: Variant,
        settings: ClassifyTask,
    ) -> Result<Arc<dyn AnyClassifier>, Error> {
        let ClassifyTask { certificate, nodes } = settings;
        let limit =
            shogi_reach::SearchLimit { nodes: usize::try_from(nodes).unwrap_or(usize::MAX) };
        let make = || variant.reach().classifier(limit, certificate);
        self.classifiers.get(variant, &settings, make)
    }

    /// The tables of a numbering of a variant, likewise.
    ///
    /// # Errors
    ///
    /// If placements of its rules cannot be counted, or the variant is too large for this numbering.
    pub fn numbered(
        &self,
        variant: Variant,
        order: Numbering,
    ) -> Result<Arc<dyn AnyNumbered>, Error> {
        self.numberings.get(variant, &order, || variant.ranking().numbered(order))
    }

    /// The evaluation of a variant, likewise.
    ///
    /// # Errors
    ///
    /// If the variant has no evaluation of this name, or the file is of another variant or damaged.
    #[cfg(feature = "search")]
    pub fn evaluation(
        &self,
        variant: Variant,
        task: &ExplainTask,
    ) -> Result<Arc<dyn AnyEvaluation>, Error> {
        self.evaluations.get(variant, task, || variant.playing().evaluation(task.judged_by()))
    }

    /// Adds an open tablebase of a variant, after those that are there.
    #[cfg(feature = "tablebase")]
    pub fn add_tablebase(&self, variant: Variant, table: Arc<dyn AnyTablebase>) {
        self.open.write().unwrap_or_else(PoisonError::into_inner).push((variant, table));
    }

    /// The open tablebases of a variant.
    #[cfg(feature = "tablebase")]
    pub fn tablebases(&self, variant: Variant) -> Vec<Arc<dyn AnyTablebase>> {
        let open = self.open.read().unwrap_or_else(PoisonError::into_inner);
        let own = open.iter().filter(|(of, _)| *of == variant);
        own.map(|(_, table)| Arc::clone(table)).collect()
    }
}

impl std::fmt::Debug for Tables {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Tables").finish_non_exhaustive()
    }
}

/// Tables of variants with settings, in the order of their last use, the latest at the end.
struct Kept<S, T: ?Sized>(Mutex<Vec<Entry<S, T>>>);

/// A table of a variant with settings.
type Entry<S, T> = (Variant, S, Place<T>);

/// The place of a table, empty until the question that came first has made it.
type Place<T> = Arc<Mutex<Option<Arc<T>>>>;

impl<S, T: ?Sized> Default for Kept<S, T> {
    fn default() -> Self {
        Self(Mutex::default())
    }
}

impl<S: Clone + PartialEq, T: ?Sized> Kept<S, T> {
    fn get(
        &self,
        variant: Variant,
        settings: &S,
        make: impl FnOnce() -> Result<Box<T>, Error>,
    ) -> Result<Arc<T>, Error> {
        let place = self.place(variant, settings);
        // Not under the lock of all places, since it takes a while.
        let mut made = place.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(made) = &*made {
            return Ok(Arc::clone(made));
        }
        let new: Arc<T> = make()?.into();
        Ok(Arc::clone(made.insert(new)))
    }

    fn place(&self, variant: Variant, settings: &S) -> Place<T> {
        let mut kept = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let known = kept.iter().position(|(of, with, _)| (of, with) == (&variant, settings));
        let new = || (variant, settings.clone(), Arc::default());
        let entry = known.map_or_else(new, |index| kept.remove(index));
        if kept.len() >= Tables::MOST {
            kept.remove(0);
        }
        let place = Arc::clone(&entry.2);
        kept.push(entry);
        place
    }
}

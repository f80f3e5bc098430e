//! How pickle and copy take the objects of this package: by what makes them anew.

use pyo3::prelude::*;
use pyo3::types::PyTuple;

/// What `__reduce__` returns: the static method `restore` of the class, and what it is called with.
pub fn reduced<'py, T, F>(
    object: &Bound<'py, T>,
    restore: &str,
    fields: F,
) -> PyResult<Bound<'py, PyTuple>>
where
    F: IntoPyObject<'py, Target = PyTuple, Output = Bound<'py, PyTuple>, Error = PyErr>,
{
    (object.as_any().get_type().getattr(restore)?, fields).into_pyobject(object.py())
}

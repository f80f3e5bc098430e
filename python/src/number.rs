//! Whole numbers of any size, between Rust and Python.

use num_bigint::BigUint;
use pyo3::IntoPyObjectExt as _;
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyInt};

use crate::error::named;

/// A whole number from 0.
pub struct Number(pub BigUint);

impl<'py> IntoPyObject<'py> for Number {
    type Target = PyAny;
    type Output = Bound<'py, PyAny>;
    type Error = PyErr;

    fn into_pyobject(self, py: Python<'py>) -> PyResult<Self::Output> {
        if let Ok(small) = u64::try_from(&self.0) {
            return small.into_bound_py_any(py);
        }
        let bytes = PyBytes::new(py, &self.0.to_bytes_le());
        py.get_type::<PyInt>().call_method1("from_bytes", (bytes, "little"))
    }
}

/// The number of a placement, as a caller gives it.
pub struct Rank(pub BigUint);

impl<'a, 'py> FromPyObject<'a, 'py> for Rank {
    type Error = PyErr;

    fn extract(value: Borrowed<'a, 'py, PyAny>) -> PyResult<Self> {
        if let Ok(small) = value.extract::<u64>() {
            return Ok(Self(small.into()));
        }
        // Whatever can be an index, such as the numbers of numpy.
        let value = value.py().import("operator")?.call_method1("index", (value,))?;
        if value.lt(0)? {
            return Err(named("RankError", &format!("the rank {value} is below 0")));
        }
        let bits: usize = value.call_method0("bit_length")?.extract()?;
        let bytes = value.call_method1("to_bytes", (bits.div_ceil(8), "little"))?;
        Ok(Self(BigUint::from_bytes_le(bytes.cast::<PyBytes>()?.as_bytes())))
    }
}

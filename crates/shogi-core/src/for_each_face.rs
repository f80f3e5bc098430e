//! A loop over the faces of a rule table.

/// Runs a block once for each face of a rule table, in the order of [`Face::all`](crate::Face::all).
///
/// For tables known at compile time the loop is unrolled: face and movement are constants of the block, and
/// attacks reduce to one or two table lines. Faces that the table lacks compile to nothing, since the
/// conditions are constants.
#[doc(hidden)]
#[macro_export]
macro_rules! for_each_face {
    ($table:ty, |$face:ident, $movement:ident| $body:block) => {
        if const { <$table as $crate::RuleTable>::RUNTIME } {
            for ($face, $movement) in <$table as $crate::RuleTable>::looked_up_faces() {
                $body
            }
        } else {
            $crate::for_each_face! { @kinds $table, $face, $movement, $body; 0 1 2 3 4 5 6 7 }
        }
    };
    (@kinds $table:ty, $face:ident, $movement:ident, $body:block; $($kind:literal)*) => {$(
        $crate::for_each_face! { @face $table, $face, $movement, $body; front $kind }
        $crate::for_each_face! { @face $table, $face, $movement, $body; back $kind }
    )*};
    (@face $table:ty, $face:ident, $movement:ident, $body:block; $side:ident $kind:literal) => {
        if const {
            $crate::Face::$side($crate::Kind::new($kind)).known_movement::<$table>().is_some()
        } {
            let $face = const { $crate::Face::$side($crate::Kind::new($kind)) };
            let $movement = const { $crate::Face::$side($crate::Kind::new($kind)).moving::<$table>() };
            $body
        }
    };
}

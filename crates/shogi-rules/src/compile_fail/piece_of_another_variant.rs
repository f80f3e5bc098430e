//! A piece of Minishogi can be neither put on a board of Kyoto shogi nor looked up there, though both have the
//! same board.
//!
//! ```
//! use shogi_rules::{KyotoShogi, Rules, shogi_core::{Colour, Face, Piece, Placement, Square}};
//! let (mut placement, square) = (Placement::<KyotoShogi>::EMPTY, Square::new(0, 0).unwrap());
//! placement.put(square, Piece { face: Face::front(KyotoShogi::SILVER), colour: Colour::Sente });
//! assert!(placement.face(Face::front(KyotoShogi::SILVER)).contains(square));
//! ```
//!
//! ```compile_fail,E0277
//! use shogi_rules::{KyotoShogi, Minishogi, Rules, shogi_core::{Colour, Face, Piece, Placement, Square}};
//! let (mut placement, square) = (Placement::<KyotoShogi>::EMPTY, Square::new(0, 0).unwrap());
//! placement.put(square, Piece { face: Face::front(Minishogi::SILVER), colour: Colour::Sente });
//! assert!(placement.face(Face::front(KyotoShogi::SILVER)).contains(square));
//! ```
//!
//! ```compile_fail,E0277
//! use shogi_rules::{KyotoShogi, Minishogi, Rules, shogi_core::{Colour, Face, Piece, Placement, Square}};
//! let (mut placement, square) = (Placement::<KyotoShogi>::EMPTY, Square::new(0, 0).unwrap());
//! placement.put(square, Piece { face: Face::front(KyotoShogi::SILVER), colour: Colour::Sente });
//! assert!(placement.face(Face::front(Minishogi::SILVER)).contains(square));
//! ```

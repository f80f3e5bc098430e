(* Numbers as the checker has them, and machine integers. *)

open Checker

let rec positive_of_int i = if i = 1 then XH else if i land 1 = 0 then XO (positive_of_int (i lsr 1)) else XI (positive_of_int (i lsr 1))
let of_int i = if i = 0 then N0 else Npos (positive_of_int i)
let rec int_of_positive = function XH -> 1 | XO p -> 2 * int_of_positive p | XI p -> (2 * int_of_positive p) + 1
let to_int = function N0 -> 0 | Npos p -> int_of_positive p
let rec to_nat i = if i = 0 then O else S (to_nat (i - 1))
let rec of_nat = function O -> 0 | S n -> 1 + of_nat n

(* Coordinates are made once. *)
let nats = Array.init 32 to_nat

(* The games that proof files may be of: names, letters, pieces, and the rules as the files name them. *)

open Checker

type t = {
  name : string;
  table : table;
  width : int;
  height : int;
  kinds : kind array;  (* all but the king, in the order of the rules *)
  letters : (char * kind * face) list;  (* upper case; the back of a piece has a + before it elsewhere *)
  pieces : kind -> int;  (* of each kind, in the whole set *)
  backs : kind -> bool;
  draws : bool;  (* whether a repetition is drawn *)
  rules : string;  (* as text: proof files carry its hash *)
}

let usual_backs = function Gold | King -> false | _ -> true

let fronts = [ ('P', Pawn); ('L', Lance); ('N', Knight); ('S', Silver); ('G', Gold); ('B', Bishop); ('R', Rook); ('K', King) ]

let usual_letters kinds =
  List.filter (fun (_, k) -> k = King || List.mem k kinds) fronts |> List.map (fun (c, k) -> (c, k, Front))

let switches ?(impasse = "no") answers repetition =
  let names = [ "drop-either-face"; "nifu"; "drop-pawn-mate"; "immobile"; "royal-safety" ] in
  List.map2 (fun name yes -> name ^ if yes then " yes" else " no") names answers @ [ "repetition " ^ repetition; "impasse " ^ impasse ]

let text lines = String.concat "" (List.map (fun line -> line ^ "\n") lines)

let shogi34 =
  let kinds = [ Pawn; Lance; Knight; Silver; Gold; Bishop; Rook ] in
  {
    name = "shogi34";
    table = Checker.shogi34;
    width = 3;
    height = 4;
    kinds = Array.of_list kinds;
    letters = usual_letters kinds;
    pieces = (function Pawn -> 6 | King -> 2 | _ -> 4);
    backs = usual_backs;
    draws = true;
    rules =
      text
        ([
           "name shogi34";
           "board 3 4";
           "kind P 6 pawn pawn none gold none";
           "kind L 4 ordinary none forward gold none";
           "kind N 4 ordinary knight none gold none";
           "kind S 4 ordinary silver none gold none";
           "kind G 4 ordinary gold none -";
           "kind B 4 ordinary none diagonal orthogonal diagonal";
           "kind R 4 ordinary none orthogonal diagonal orthogonal";
           "kind K 2 royal king none -";
           "promotion optional 1";
         ]
        @ switches [ false; false; false; false; true ] "4 draw perpetual-check no");
  }

let minishogi =
  let kinds = [ Pawn; Silver; Gold; Bishop; Rook ] in
  {
    name = "minishogi";
    table = Checker.minishogi;
    width = 5;
    height = 5;
    kinds = Array.of_list kinds;
    letters = usual_letters kinds;
    pieces = (fun _ -> 2);
    backs = usual_backs;
    draws = false;
    rules =
      text
        ([
           "name minishogi";
           "board 5 5";
           "kind P 2 pawn pawn none gold none";
           "kind S 2 ordinary silver none gold none";
           "kind G 2 ordinary gold none -";
           "kind B 2 ordinary none diagonal orthogonal diagonal";
           "kind R 2 ordinary none orthogonal diagonal orthogonal";
           "kind K 2 royal king none -";
           "promotion optional 1";
         ]
        @ switches [ false; false; false; false; true ] "4 gote perpetual-check yes");
  }

let kyotoshogi =
  {
    name = "kyotoshogi";
    table = Checker.kyotoshogi;
    width = 5;
    height = 5;
    kinds = [| Pawn; Lance; Knight; Silver |];
    letters =
      [
        ('P', Pawn, Front); ('R', Pawn, Back); ('L', Lance, Front); ('T', Lance, Back); ('N', Knight, Front);
        ('G', Knight, Back); ('S', Silver, Front); ('B', Silver, Back); ('K', King, Front);
      ];
    pieces = (fun _ -> 2);
    backs = (fun k -> k <> King);
    draws = true;
    rules =
      text
        ([
           "name kyotoshogi";
           "board 5 5";
           "kind P 2 pawn pawn none none orthogonal";
           "kind L 2 ordinary none forward gold none";
           "kind N 2 ordinary knight none gold none";
           "kind S 2 ordinary silver none none diagonal";
           "kind K 2 royal king none -";
           "promotion every-move 0";
         ]
        @ switches [ true; true; true; true; true ] "4 draw perpetual-check yes");
  }

(* Declarations of impasse are no part of the theories: a player who declares is never in check, so no mate by checks meets
   one. *)
let shogi =
  let kinds = [ Pawn; Lance; Knight; Silver; Gold; Bishop; Rook ] in
  {
    name = "shogi";
    table = Checker.shogi;
    width = 9;
    height = 9;
    kinds = Array.of_list kinds;
    letters = usual_letters kinds;
    pieces = (function Pawn -> 18 | Bishop | Rook | King -> 2 | _ -> 4);
    backs = usual_backs;
    draws = false;
    rules =
      text
        ([
           "name shogi";
           "board 9 9";
           "kind P 18 pawn pawn none gold none";
           "kind L 4 ordinary none forward gold none";
           "kind N 4 ordinary knight none gold none";
           "kind S 4 ordinary silver none gold none";
           "kind G 4 ordinary gold none -";
           "kind B 2 ordinary none diagonal orthogonal diagonal";
           "kind R 2 ordinary none orthogonal diagonal orthogonal";
           "kind K 2 royal king none -";
           "promotion optional 3";
         ]
        @ switches ~impasse:"27" [ false; false; false; false; true ] "4 no-result perpetual-check yes");
  }

let all = [ shogi34; minishogi; kyotoshogi; shogi ]
let find name = List.find_opt (fun game -> game.name = name) all

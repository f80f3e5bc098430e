// The page of `shogi explore`.

import { start } from "./page";
import { Server } from "./server";

void start(new Server());

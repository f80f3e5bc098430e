// The page without a server.

import { Local } from "./local";
import { start } from "./page";

void start(new Local(new URL("explore.wasm", import.meta.url)));

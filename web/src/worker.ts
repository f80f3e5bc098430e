// Runs the libraries beside the page, which stays responsive, and can end what takes too long by ending this.

import { Module, type Answer } from "./module";

/** What the page asks; the first message brings the module. */
export type Call =
  | { call: "start"; module: WebAssembly.Module }
  | { call: "about" }
  | { call: "ask"; question: string; request: object }
  | { call: "open"; name: string; content: ArrayBuffer }
  | { call: "search"; request: object }
  | { call: "solve"; request: object };

/** What comes back: an event of a search, or the answer to the oldest call without one. */
export type Reply = { event: object } | { answer: Answer; proof?: ArrayBuffer | undefined };

let module: Module;

function reply(call: Exclude<Call, { call: "start" }>): Reply {
  switch (call.call) {
    case "about":
      return { answer: module.about() };
    case "ask":
      return { answer: module.ask(call.question, call.request) };
    case "open":
      return { answer: module.open(call.name, call.content) };
    case "search":
      return { answer: module.search(call.request, (event) => self.postMessage({ event })) };
    case "solve":
      return module.solve(call.request);
  }
}

self.onmessage = ({ data }: MessageEvent<Call>) => {
  if (data.call === "start") module = new Module(data.module);
  else self.postMessage(reply(data));
};

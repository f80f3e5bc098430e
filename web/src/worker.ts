// Runs the libraries beside the page, which stays responsive, and can end what takes too long by ending this.

import { Module, type Answer, type RemotePart } from "./module";

/** What the page asks; the first message brings the module. */
export type Call =
  | { call: "start"; module: WebAssembly.Module }
  | { call: "addRemote"; length: number }
  | { call: "about" }
  | { call: "ask"; question: string; request: object }
  | { call: "open"; name: string; content: ArrayBuffer }
  | { call: "openRemote"; remote: number; name: string }
  | { call: "search"; request: object }
  | { call: "report"; request: object }
  | { call: "solve"; request: object };

/** A call with the parts of files elsewhere that it has needed so far. */
export type CallWithParts = Call & { parts?: RemotePart[] };

/** What comes back: an event of a search, or the answer to the oldest call without one. */
export type Reply = { event: object } | Answered;

export interface Answered {
  answer: Answer;
  proof?: ArrayBuffer | undefined;
}

let module: Module;

function reply(call: Exclude<Call, { call: "start" }>): Answered {
  switch (call.call) {
    case "about":
      return { answer: module.about() };
    case "ask":
      return { answer: module.ask(call.question, call.request) };
    case "open":
      return { answer: module.open(call.name, call.content) };
    case "addRemote":
      return { answer: { status: 200, body: module.addRemote(call.length) as never } };
    case "openRemote":
      return { answer: module.openRemote(call.remote, call.name) };
    case "search":
      return { answer: module.search(call.request, (event) => self.postMessage({ event })) };
    case "report":
      return { answer: module.report(call.request, (event) => self.postMessage({ event })) };
    case "solve":
      return module.solve(call.request, (event) => self.postMessage({ event }));
  }
}

self.onmessage = ({ data }: MessageEvent<CallWithParts>) => {
  if (data.call === "start") {
    module = new Module(data.module);
    return;
  }
  for (const part of data.parts ?? []) module.supply(part);
  self.postMessage(reply(data));
};

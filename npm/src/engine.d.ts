// The host of the engine, `web/engine/engine.js`, which the build copies here.

export interface Engine {
  postMessage(command: string): void;
  addMessageListener(listener: (line: string) => void): void;
  terminate(): void;
}

export default function createEngine(options?: { locateFile?: (file: string) => string; slice?: number }): Promise<Engine>;

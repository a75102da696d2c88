import JSDOMEnvironment from 'jest-environment-jsdom';

/** Globals jsdom lacks, or has in a form that Node's fetch does not take, are Node's. */
const NODES_OWN = [
  'AbortController',
  'AbortSignal',
  'Blob',
  'BroadcastChannel',
  'FormData',
  'Headers',
  'ReadableStream',
  'Request',
  'Response',
  'TextDecoder',
  'TextDecoderStream',
  'TextEncoder',
  'TextEncoderStream',
  'TransformStream',
  'URL',
  'URLSearchParams',
  'WritableStream',
  'fetch',
  'structuredClone',
];

export default class ConsoleEnvironment extends JSDOMEnvironment {
  async setup() {
    await super.setup();
    for (const name of NODES_OWN)
      Object.defineProperty(this.global, name, {
        value: globalThis[name],
        configurable: true,
        writable: true,
      });
  }
}

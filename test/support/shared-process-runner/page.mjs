// The browser the console's component tests run in: one page of jsdom for all files of a process.
import { createRequire, registerHooks } from 'node:module';
import { existsSync } from 'node:fs';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { join } from 'node:path';
import { keepComputedStyles } from './cheap-styles.cjs';
import './cheap-labels.cjs';

const require = createRequire(import.meta.url);
const { JSDOM, VirtualConsole } = require('jsdom');

const ASSETS = /\.(css|svg|png|woff2)$|^@fontsource/;
const STUB = pathToFileURL(join(import.meta.dirname, '../asset-stub.cjs')).href;
const ENDINGS = ['', '.ts', '.tsx', '/index.ts', '/index.tsx'];

registerHooks({
  resolve(specifier, context, next) {
    if (ASSETS.test(specifier)) return { url: STUB, shortCircuit: true };
    const parent = /^(file:.*\/console\/src\/[^?]*)(\?.*)?$/.exec(context.parentURL ?? '');
    if (parent === null || !specifier.startsWith('.')) return next(specifier, context);
    for (const ending of ENDINGS) {
      const url = new URL(specifier + ending, parent[1]);
      if (!/\.tsx?$/.test(url.pathname) || !existsSync(fileURLToPath(url))) continue;
      // Packages are shared by all test files; our own modules hold what a page holds, and each file has its own of them.
      url.search = parent[2] ?? '';
      return { url: url.href, shortCircuit: true };
    }
    return next(specifier, context);
  },
});

/** What jsdom lacks, or has in a form that does not go with the rest, stays Node's. */
const NODES_OWN = new Set(
  `AbortController AbortSignal Blob BroadcastChannel FormData Headers ReadableStream Request Response TextDecoder TextDecoderStream
  TextEncoder TextEncoderStream TransformStream URL URLSearchParams WritableStream atob btoa clearInterval clearTimeout console crypto
  fetch performance queueMicrotask setInterval setTimeout structuredClone`.split(/\s+/),
);

const virtualConsole = new VirtualConsole();
virtualConsole.sendTo(console, { omitJSDOMErrors: true });
virtualConsole.on('jsdomError', (error) => console.error(error));
const { window } = new JSDOM('<!DOCTYPE html>', {
  pretendToBeVisual: true,
  url: 'http://localhost/',
  virtualConsole,
});
keepComputedStyles(window);
for (const name of NODES_OWN) {
  Object.defineProperty(window, name, {
    configurable: true,
    get: () => globalThis[name],
    set(value) {
      globalThis[name] = value;
    },
  });
}
for (const name of Object.getOwnPropertyNames(window)) {
  if (NODES_OWN.has(name) || Object.is(window[name], globalThis[name])) continue;
  Object.defineProperty(globalThis, name, {
    configurable: true,
    get: () => window[name],
    set(value) {
      window[name] = value;
    },
  });
}
globalThis.IS_REACT_ACT_ENVIRONMENT = true;

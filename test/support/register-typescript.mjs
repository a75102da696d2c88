// Lets a plain Node process run the sources as they are: `node --import …/register-typescript.mjs file.ts`.
// Node strips types but knows no decorators, so swc compiles what it loads.
import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { registerHooks } from 'node:module';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { threadId } from 'node:worker_threads';
import { compile, keyOf } from './compile-typescript.cjs';

// A program of the tests loads hundreds of files, and dozens of programs load the same ones: each is compiled once.
const CACHE = join(import.meta.dirname, '../../node_modules/.cache/register-typescript');
mkdirSync(CACHE, { recursive: true });

function compiled(filename) {
  const source = readFileSync(filename, 'utf8');
  const kept = join(CACHE, `${keyOf(source, filename)}.js`);
  if (existsSync(kept)) return readFileSync(kept, 'utf8');
  const code = compile(source, filename);
  // Whole or not at all: another program may be reading.
  const part = `${kept}.${process.pid}-${threadId}`;
  writeFileSync(part, code);
  renameSync(part, kept);
  return code;
}

registerHooks({
  resolve(specifier, context, next) {
    if (specifier.startsWith('.') && specifier.endsWith('.js') && context.parentURL !== undefined) {
      const url = new URL(specifier.replace(/\.js$/, '.ts'), context.parentURL);
      if (existsSync(fileURLToPath(url))) return { url: url.href, shortCircuit: true };
    }
    return next(specifier, context);
  },
  load(url, context, next) {
    if (!/^file:[^?]*\.tsx?(?:\?|$)/.test(url)) return next(url, context);
    return { format: 'module', source: compiled(fileURLToPath(url)), shortCircuit: true };
  },
});

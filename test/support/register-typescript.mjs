// Lets a plain Node process run the sources as they are: `node --import …/register-typescript.mjs file.ts`.
// Node strips types but knows no decorators, so swc compiles what it loads.
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { createRequire, registerHooks } from 'node:module';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { threadId } from 'node:worker_threads';
import swc from '@swc/core/package.json' with { type: 'json' };

const require = createRequire(import.meta.url);
// A program of the tests loads hundreds of files, and dozens of programs load the same ones: each is compiled once.
const CACHE = join(import.meta.dirname, '../../node_modules/.cache/register-typescript');
mkdirSync(CACHE, { recursive: true });

const OPTIONS = {
  swcrc: false,
  sourceMaps: 'inline',
  jsc: {
    target: 'es2024',
    keepClassNames: true,
    parser: { syntax: 'typescript', decorators: true },
    transform: { legacyDecorator: true, decoratorMetadata: true, react: { runtime: 'automatic' } },
    experimental: { keepImportAttributes: true },
  },
  module: { type: 'es6' },
};
const COMPILER = `${swc.version}\n${JSON.stringify(OPTIONS)}`;

function compile(filename) {
  const source = readFileSync(filename, 'utf8');
  const digest = createHash('sha1').update(`${COMPILER}\n${filename}\n${source}`).digest('hex');
  const kept = join(CACHE, `${digest}.js`);
  if (existsSync(kept)) return readFileSync(kept, 'utf8');
  // Loaded only where something is to be compiled: it is most of what such a program costs.
  const tsx = filename.endsWith('.tsx');
  const jsc = { ...OPTIONS.jsc, parser: { ...OPTIONS.jsc.parser, tsx } };
  const { code } = require('@swc/core').transformSync(source, { filename, ...OPTIONS, jsc });
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
    return { format: 'module', source: compile(fileURLToPath(url)), shortCircuit: true };
  },
});

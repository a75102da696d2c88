/**
 * Our TypeScript as Node runs it: types away, decorators with their metadata, modules as they are. Jest calls this as its transform for the
 * tests, register-typescript.mjs for programs.
 */
const { createHash } = require('node:crypto');
const { version } = require('@swc/core/package.json');

const OPTIONS = {
  swcrc: false,
  jsc: {
    target: 'es2024',
    keepClassNames: true,
    parser: { syntax: 'typescript', decorators: true },
    transform: { legacyDecorator: true, decoratorMetadata: true, react: { runtime: 'automatic' } },
    experimental: { keepImportAttributes: true },
  },
  module: { type: 'es6' },
};
const COMPILER = `${version}\n${JSON.stringify(OPTIONS)}`;

function transform(text, filename, sourceMaps) {
  const parser = { ...OPTIONS.jsc.parser, tsx: filename.endsWith('.tsx') };
  const options = { ...OPTIONS, sourceMaps, filename, jsc: { ...OPTIONS.jsc, parser } };
  // Loaded only where something is to be compiled: it is most of what such a program costs.
  return require('@swc/core').transformSync(text, options);
}

/** @returns {string} the code of a file, with its source map */
const compile = (text, filename) => transform(text, filename, 'inline').code;

/** @returns {{ code: string, map: string }} apart: Jest loads the code for every test file, and the map only when it prints an error */
const compileForJest = (text, filename) => transform(text, filename, true);

/** @returns {string} what differs when the code of a file would */
function keyOf(text, filename) {
  return createHash('sha1').update(`${COMPILER}\n${filename}\n${text}`).digest('hex');
}

module.exports = {
  compile,
  keyOf,
  // Jest's names.
  getCacheKey: keyOf,
  process: compileForJest,
};

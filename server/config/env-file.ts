import { readFileSync } from 'node:fs';
import { parseEnv } from 'node:util';
import { type Env, readEnv } from './env.js';
import { findMisspelledVariables } from './misspelled-variables.js';
import { EnvironmentError } from './environment-error.js';

const ASSIGNMENT = /^\s*(?:export\s+)?[A-Za-z_][A-Za-z0-9_.-]*\s*=\s*(.*)$/;
const NOTHING = /^\s*(#.*)?$/;
const QUOTES = new Set(['"', "'", '`']);

/**
 * The variables of the file that ENV_FILE names (lines of `NAME=value`); none without ENV_FILE. The environment itself takes
 * precedence. The process that starts others reads it, never a worker: its supervisor passes the values on.
 * Fails: EnvironmentError when the file cannot be read, or not all of it.
 */
export function readEnvFile(source: NodeJS.ProcessEnv): Record<string, string> {
  const path = (source['ENV_FILE'] ?? '').trim();
  if (path === '') return {};
  let text: string;
  try {
    text = readFileSync(path, 'utf8');
  } catch (error) {
    const { code = '' } = error as NodeJS.ErrnoException;
    throw EnvironmentError.of([`ENV_FILE: ${path} cannot be read (${code})`], error);
  }
  // An unreadable line would otherwise be skipped without a message, and the default apply.
  const broken = brokenLines(text);
  if (broken.length > 0) throw EnvironmentError.of(broken.map((fault) => `ENV_FILE: ${path}, ${fault}`));
  const values: Record<string, string> = {};
  for (const [name, value] of Object.entries(parseEnv(text))) {
    if (value !== undefined && (source[name] ?? '').trim() === '') values[name] = value;
  }
  return values;
}

/** The settings, and what of them came from ENV_FILE. */
export interface LoadedEnv {
  readonly env: Env;
  readonly file: Readonly<Record<string, string>>;
  /** Warnings for the operator that do not prevent the start: a line each. */
  readonly warnings: readonly string[];
}

/** Fails: EnvironmentError. */
export function loadEnvAndFile(source: NodeJS.ProcessEnv = process.env): LoadedEnv {
  const file = readEnvFile(source);
  const all = { ...source, ...file };
  const env = readEnv(all);
  return { env, file, warnings: [...findMisspelledVariables(all).warnings, ...sharedSecrets(env)] };
}

const sharedSecrets = ({ sessionSecret, cryptoSecret }: Env): string[] =>
  sessionSecret === cryptoSecret
    ? ['CRYPTO_SECRET: is the same as SESSION_SECRET; give each one of its own before there are stored keys']
    : [];

/** Same as `readEnv`, with the variables of ENV_FILE. */
export const loadEnv = (source: NodeJS.ProcessEnv = process.env): Env => loadEnvAndFile(source).env;

/** Search path of the programs that this one calls. */
export const programPath = (): string => process.env['PATH'] ?? '';

/**
 * The lines of a file of settings that hold none: its reader (node:util) passes over them in silence.
 * @returns a sentence each, beginning with the number of the line; never what stands there
 */
export function brokenLines(text: string): string[] {
  const lines = text.replace(/^\uFEFF/, '').split(/\r?\n/);
  const faults: string[] = [];
  for (let index = 0; index < lines.length; index++) {
    const line = lines[index] ?? '';
    if (NOTHING.test(line)) continue;
    const value = ASSIGNMENT.exec(line)?.[1];
    if (value === undefined) {
      faults.push(`line ${index + 1}: is not NAME=value`);
      continue;
    }
    const quote = value[0] ?? '';
    if (!QUOTES.has(quote) || value.includes(quote, 1)) continue;
    // Values in quotes may go on over several lines.
    const end = lines.findIndex((later, at) => at > index && later.includes(quote));
    if (end < 0) faults.push(`line ${index + 1}: its quotation mark is not closed`);
    else index = end;
  }
  return faults;
}

import { readFileSync } from 'node:fs';
import { parseEnv } from 'node:util';
import { type Env, EnvironmentError, readEnv } from './env.js';

/**
 * The variables of the file that ENV_FILE names (lines of `NAME=value`); none without ENV_FILE. What the environment itself says
 * counts more. Read by whoever starts a process, never by a worker: its supervisor passes on what it read.
 * Fails: EnvironmentError when the file cannot be read.
 */
export function readEnvFile(source: NodeJS.ProcessEnv): Record<string, string> {
  const path = (source['ENV_FILE'] ?? '').trim();
  if (path === '') return {};
  let text: string;
  try {
    text = readFileSync(path, 'utf8');
  } catch (error) {
    const { code = '' } = error as NodeJS.ErrnoException;
    throw new EnvironmentError(
      `The environment has 1 fault(s):\n  ENV_FILE: ${path} cannot be read (${code})`,
      {
        cause: error,
      },
    );
  }
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
}

/** Fails: EnvironmentError. */
export function loadEnvAndFile(source: NodeJS.ProcessEnv = process.env): LoadedEnv {
  const file = readEnvFile(source);
  return { env: readEnv({ ...source, ...file }), file };
}

/** As `readEnv`, with the variables of ENV_FILE. */
export const loadEnv = (source: NodeJS.ProcessEnv = process.env): Env => loadEnvAndFile(source).env;

/** Where programs are looked for that this one calls. */
export const programPath = (): string => process.env['PATH'] ?? '';

import { readFileSync } from 'node:fs';
import { join } from 'node:path';

const FOLDER = join(import.meta.dirname, '../../docker');

export const readDockerFile = (name: string): string => readFileSync(join(FOLDER, name), 'utf8');

/** Lines below a key, as deep as they go: enough of YAML for files we write ourselves. Empty when the key is not there. */
export function blockOf(text: string, key: string): string {
  const lines = text.split('\n');
  const start = lines.findIndex((line) => line.trimStart().startsWith(`${key}:`));
  if (start === -1) return '';
  const depthOf = (line: string): number => line.length - line.trimStart().length;
  const depth = depthOf(lines[start] ?? '');
  const rest = lines.slice(start + 1);
  const end = rest.findIndex((line) => line.trim() !== '' && depthOf(line) <= depth);
  return [lines[start], ...rest.slice(0, end === -1 ? rest.length : end)].join('\n');
}

/**
 * The environment a compose file gives its instances: all of docker/.env, and its own with `${NAME}`, `${NAME:?…}` and `${NAME:-…}` filled in.
 * @param values  what docker/.env would say
 */
export function instanceEnvironment(
  text: string,
  values: Readonly<Record<string, string>>,
): Record<string, string> {
  const instance = text.includes('x-instance') ? blockOf(text, 'x-instance') : text;
  const block = blockOf(instance, 'environment');
  const environment: Record<string, string> = {
    ...(instance.includes('env_file: [{ path: .env') ? values : {}),
  };
  for (const line of block.split('\n').slice(1)) {
    const match = /^\s+([A-Z_]+):\s*(.*)$/.exec(line);
    if (match === null) continue;
    const [, name = '', value = ''] = match;
    environment[name] = value
      .replace(/^'(.*)'$/, '$1')
      .replaceAll(
        /\$\{([A-Z_]+)(?::([?-])([^}]*))?\}/g,
        (_, variable: string, kind = '', rest = '') => values[variable] ?? (kind === '-' ? rest : ''),
      );
  }
  return environment;
}

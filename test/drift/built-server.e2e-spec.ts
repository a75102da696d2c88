import { describe, expect, it } from '@jest/globals';
import { readdirSync, readFileSync } from 'node:fs';
import { isBuiltin } from 'node:module';
import { join } from 'node:path';

const root = join(import.meta.dirname, '../..');
const folder = join(root, 'dist/server');
const files = readdirSync(folder).map((name) => ({ name, code: readFileSync(join(folder, name), 'utf8') }));

/** Imports of a file when it is loaded, and those it loads later. */
const importsOf = (code: string): string[] =>
  [...code.matchAll(/^(?:import|export)\b[^"';]*"([^"]+)";$/gm)].map(([, id]) => id ?? '');
const laterImportsOf = (code: string): string[] =>
  [...code.matchAll(/\bimport\("(\.\/[^"]+)"\)/g)].map(([, id]) => id ?? '');

/** Files read before the server serves, or by a thread that reads all its files when it starts. */
const BEFORE_READY = [
  'cors',
  'data-dir-lock',
  'disk-space',
  'dist',
  'gather-metrics',
  'mysql-connections',
  'open-tracing',
  'postgres-connections',
  'postgres-session',
  'redis-compatibility',
  'redis-shared-store',
  'start-fault',
  'static',
  'supervise-workers',
  'thread-server-store',
  'thread-sqlite-store',
  'worker',
];

describe('the built server (npm run build)', () => {
  it('has the programs that package.json and the server start', () => {
    const { scripts } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as {
      scripts: Record<string, string>;
    };
    const started = Object.values(scripts).flatMap((line) =>
      [...line.matchAll(/dist\/server\/(\S+)/g)].map(([, name]) => name ?? ''),
    );
    const names = files.map(({ name }) => name);
    expect(names).toEqual(expect.arrayContaining([...started, 'booking-thread.js', 'tokenizer-worker.js']));
    expect(started).toContain('main.js');
  });

  it('holds only ASCII: a single other sign would make V8 keep two bytes for each sign of the file', () => {
    expect(files.filter(({ code }) => /[^\x00-\x7f]/.test(code)).map(({ name }) => name)).toEqual([]);
  });

  it('loads packages only that are there without the tools', () => {
    const { dependencies } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as {
      dependencies: Record<string, string>;
    };
    const asked = [...new Set(files.flatMap(({ code }) => importsOf(code)))];
    expect(asked).toContain('better-sqlite3');
    const strange = asked.filter(
      (id) =>
        !id.startsWith('./') &&
        !isBuiltin(id) &&
        !(id.split('/', id[0] === '@' ? 2 : 1).join('/') in dependencies),
    );
    expect(strange).toEqual([]);
  });

  it('loads TypeORM once, and drivers of servers for those who have one', () => {
    expect(
      files.filter(({ code }) => /\brequire[\w$]*\("typeorm"\)/.test(code)).map(({ name }) => name),
    ).toEqual([]);
    const loaders = files.filter(({ code }) => importsOf(code).some((id) => id === 'mysql2' || id === 'pg'));
    const names = loaders.map(({ name }) => name.replace(/-[\w-]{8}\.js$/, ''));
    expect(names.toSorted()).toEqual(['mysql-connections', 'postgres-connections', 'postgres-session']);
  });

  // A build replaces the folder under a running server, and names its files anew.
  it('loads no file of its own that may be gone: what running servers need they have read', () => {
    const later = files
      .flatMap(({ code }) => laterImportsOf(code))
      .map((id) => /^\.\/(.+)-[\w-]{8}\.js$/.exec(id)?.[1]);
    expect(later).toContain('worker');
    expect([...new Set(later)].filter((name) => name === undefined || !BEFORE_READY.includes(name))).toEqual(
      [],
    );
  });
});

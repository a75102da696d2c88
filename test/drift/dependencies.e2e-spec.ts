import { describe, expect, it } from '@jest/globals';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

const root = join(import.meta.dirname, '../..');
const KINDS = ['dependencies', 'optionalDependencies', 'devDependencies'] as const;

type PackageFile = Partial<Record<(typeof KINDS)[number], Record<string, string>>>;

const read = (path: string): string => readFileSync(join(root, path), 'utf8');

function declared(path: string): [name: string, version: string][] {
  const file = JSON.parse(read(path)) as PackageFile;
  return KINDS.flatMap((kind) => Object.entries(file[kind] ?? {}));
}

const all = [...declared('package.json'), ...declared('console/package.json')];

describe('dependencies', () => {
  it('each have a line with the reason, and no line without its package', () => {
    const page = read('docs/decisions/dependencies.md');
    const rows = page.split('\n').filter((line) => line.startsWith('| `'));
    const explained = rows.flatMap((row) =>
      [...(row.split('|')[1] ?? '').matchAll(/`([^`]+)`/g)].map(([, name]) => name),
    );
    const names = [...new Set(all.map(([name]) => name))].sort();
    expect([...new Set(explained)].sort()).toEqual(names);
  });

  it('pins each to one exact version', () => {
    const loose = all.filter(([, version]) => !/^(npm:[a-z0-9@/-]+@)?\d+\.\d+\.\d+$/.test(version));
    expect(loose).toEqual([]);
  });

  it('has one version of what both workspaces use', () => {
    const versions = new Map<string, Set<string>>();
    for (const [name, version] of all) versions.set(name, (versions.get(name) ?? new Set()).add(version));
    expect([...versions].filter(([, used]) => used.size > 1).map(([name]) => name)).toEqual([]);
  });
});

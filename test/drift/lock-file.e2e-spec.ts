import { describe, expect, it } from '@jest/globals';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { lockFaults } from '../../scripts/lock-rules.mjs';

const digest = { integrity: 'sha512-x' };

describe('the lock file', () => {
  it.each(['package-lock.json', 'test/e2e/clients/node/package-lock.json'])(
    '%s is free of download addresses and names every optional dependency',
    (file) => {
      const path = join(import.meta.dirname, '../..', file);
      expect(lockFaults(JSON.parse(readFileSync(path, 'utf8')))).toEqual([]);
    },
  );

  it.each([
    [
      'a download address',
      { 'node_modules/a': { ...digest, resolved: 'https://registry.example/a.tgz' } },
      'download address',
    ],
    ['a missing digest', { 'node_modules/a': { version: '1.0.0' } }, 'no integrity digest'],
    [
      'a binding that was dropped',
      { 'node_modules/a': { ...digest, optionalDependencies: { 'a-mac': '1' } } },
      'a-mac is not locked',
    ],
    [
      'a root binding that was dropped',
      { '': { optionalDependencies: { 'node-mac': '1' } } },
      'node-mac is not locked',
    ],
  ])('%s is a fault', (_, packages, sentence) => {
    const faults = lockFaults({ packages });
    expect(faults).toHaveLength(1);
    expect(faults[0]).toContain(sentence);
  });

  it.each([
    ['beside it', 'node_modules/b/node_modules/a-mac'],
    ['inside it', 'node_modules/b/node_modules/a/node_modules/a-mac'],
    ['at the top', 'node_modules/a-mac'],
  ])('a binding locked %s is fine', (_, place) => {
    const owner = { ...digest, optionalDependencies: { 'a-mac': '1' } };
    expect(lockFaults({ packages: { 'node_modules/b/node_modules/a': owner, [place]: digest } })).toEqual([]);
  });

  it('a workspace is a link, not a package', () => {
    expect(
      lockFaults({
        packages: { console: {}, 'node_modules/@tollgate/console': { resolved: 'console', link: true } },
      }),
    ).toEqual([]);
  });
});

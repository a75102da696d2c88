import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { reviveSpools } from './revive-spools.js';

let root: string;

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'spools-'));
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

function put(folder: string, ...names: readonly string[]): void {
  mkdirSync(join(root, folder), { recursive: true });
  for (const name of names) writeFileSync(join(root, folder, name), name);
}
const filesIn = (folder: string): readonly string[] => readdirSync(join(root, folder)).sort();

describe('reviveSpools', () => {
  it('makes finished segments and folders unread again, and counts what will be read', () => {
    put('boot-1.done', '00000001.spool.done', '00000002.spool.done', 'progress.json');
    put('boot-2', '00000001.spool.done', '00000002.spool');
    expect(reviveSpools(root)).toBe(4);
    expect(filesIn('.')).toEqual(['boot-1', 'boot-2']);
    expect(filesIn('boot-1')).toEqual(['00000001.spool', '00000002.spool', 'progress.json']);
    expect(filesIn('boot-2')).toEqual(['00000001.spool', '00000002.spool']);
    expect(reviveSpools(root)).toBe(4);
  });

  it('leaves alone dead letters, files that are no segments, and a folder whose name is taken', () => {
    put('quarantine', '00000001.spool.done');
    put('boot-1', 'x.spool.done', '1.spool.done');
    put('boot-1.done', '00000001.spool.done');
    writeFileSync(join(root, 'loose.done'), '');
    expect(reviveSpools(root)).toBe(1);
    expect(filesIn('.')).toEqual(['boot-1', 'boot-1.done', 'loose.done', 'quarantine']);
    expect(filesIn('quarantine')).toEqual(['00000001.spool.done']);
    expect(filesIn('boot-1')).toEqual(['1.spool.done', 'x.spool.done']);
    expect(filesIn('boot-1.done')).toEqual(['00000001.spool']);
  });

  it('finds nothing where there is no folder', () => {
    expect(reviveSpools(join(root, 'gone'))).toBe(0);
  });
});

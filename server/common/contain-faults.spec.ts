import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';

/** Runs in a process of its own: Jest counts an unhandled rejection as a failure of the test. */
const PROGRAM = `
import { EventEmitter } from 'node:events';
import { containFaults, contained } from ${JSON.stringify(join(import.meta.dirname, 'contain-faults.ts'))};
const FAULT = new Error('a fault of ours');
const fail = () => { throw FAULT; };
let told = [];
process.on('unhandledRejection', (fault) => told.push(fault));
// Unhandled rejections are reported after the turn.
const afterTurn = () => new Promise((resolve) => setImmediate(resolve));

const emitter = new EventEmitter();
const ended = [];
emitter.on('data', contained((bytes) => fail(), (bytes) => ended.push(bytes)));
const isHeard = emitter.emit('data', 'what came');
await afterTurn();
const once = told.map((fault) => fault === FAULT);
told = [];
contained(fail, fail)();
containFaults(fail, fail);
await afterTurn();
console.log(JSON.stringify({ isHeard, ended, once, again: told.length }));
`;

const run = spawnSync(process.execPath, ['--input-type=module', '--eval', PROGRAM], { encoding: 'utf8' });

describe('a fault in a listener', () => {
  it('ends the owner of the listener and reports a bug, and lets the emitter go on', () => {
    expect(run.stderr).toBe('');
    expect(JSON.parse(run.stdout)).toMatchObject({ isHeard: true, ended: ['what came'], once: [true] });
    expect(run.status).toBe(0);
  });

  it('reports both faults when the end fails as well, and rethrows neither', () => {
    expect(JSON.parse(run.stdout)).toMatchObject({ again: 4 });
  });
});

import { describe, expect, it } from '@jest/globals';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { isProcessGone, ownIdentity } from './spool-owner.js';

const startOf = (pid: number): string => {
  const text = readFileSync(`/proc/${pid}/stat`, 'utf8');
  return text.slice(text.lastIndexOf(')') + 2).split(' ')[19] ?? '';
};

describe('whether the owner of a spool is gone', () => {
  it('detects it of this process, and not of other hosts', () => {
    expect(isProcessGone(ownIdentity())).toBe(false);
    expect(isProcessGone({ ...ownIdentity(), startedAt: '1' })).toBe(true);
    expect(isProcessGone({ ...ownIdentity(), host: 'elsewhere' })).toBeUndefined();
  });

  it('detects a killed process that its parent has not reaped yet [F-15]', async () => {
    // A shell that starts a child, prints its id, and becomes a program that never reaps its children.
    const parent = spawn('sh', ['-c', 'sleep 60 & echo $!; exec sleep 60'], {
      stdio: ['ignore', 'pipe', 'ignore'],
    });
    try {
      const [line] = (await once(parent.stdout, 'data')) as [Buffer];
      const pid = Number(line.toString());
      const owner = { host: hostname(), pid, startedAt: startOf(pid) };
      expect(isProcessGone(owner)).toBe(false);
      // The shell would collect its child: the program it becomes does not.
      while (readFileSync(`/proc/${parent.pid}/comm`, 'utf8').trim() !== 'sleep')
        await new Promise(setImmediate);
      process.kill(pid, 'SIGKILL');
      while (!readFileSync(`/proc/${pid}/stat`, 'utf8').includes(') Z ')) await new Promise(setImmediate);
      expect(isProcessGone(owner)).toBe(true);
    } finally {
      parent.kill('SIGKILL');
    }
  });
});

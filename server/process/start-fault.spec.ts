import { describe, expect, it } from '@jest/globals';
import { StartRefusal } from '../common/errors/start-refusal.js';
import type { Env } from '../config/env.js';
import { startFault } from './start-fault.js';

const ENV = { host: '10.0.0.9', port: 3_000, metricsPort: 9_100 } as Env;
const fault = (members: object) => Object.assign(new Error('listen'), members);

describe('startFault', () => {
  it.each([
    [
      'a port that is taken',
      { code: 'EADDRINUSE', syscall: 'listen', port: 3_000 },
      'PORT: 10.0.0.9:3000 (EADDRINUSE) is in use by another program',
    ],
    [
      'the port of the metrics',
      { code: 'EACCES', syscall: 'bind', port: 9_100 },
      'METRICS_PORT: 10.0.0.9:9100 (EACCES) may not be used by this account',
    ],
    [
      'another fault of listening, without a port',
      { code: 'EMFILE', syscall: 'listen' },
      'PORT: 10.0.0.9:3000 (EMFILE) cannot be listened on.',
    ],
    [
      'an address this machine does not have',
      { code: 'EADDRNOTAVAIL', syscall: 'listen', port: 3_000 },
      'HOST: 10.0.0.9 is no address of this machine (EADDRNOTAVAIL)',
    ],
    [
      'a host nobody knows',
      { code: 'ENOTFOUND', syscall: 'getaddrinfo', hostname: '10.0.0.9' },
      'HOST: 10.0.0.9 is a name that leads nowhere (ENOTFOUND)',
    ],
  ])('names the variable to change for %s', (_what, members, sentence) => {
    expect(startFault(fault(members), ENV)).toContain(`Tollgate could not start. ${sentence}`);
  });

  it('gives the sentence of a refusal without a stack', () => {
    expect(startFault(new StartRefusal('DATA_DIR: no room.'))).toBe(
      'Tollgate could not start. DATA_DIR: no room.',
    );
  });

  it.each([
    ['a look-up of another host', { code: 'ENOTFOUND', syscall: 'getaddrinfo', hostname: 'db.example' }],
    ['a refused connection', { code: 'ECONNREFUSED', syscall: 'connect', port: 3_000 }],
  ])('does not blame HOST and PORT for %s', (_what, members) => {
    expect(startFault(fault(members), ENV)).toMatch(/^Tollgate could not start: Error: listen\n/);
  });

  it.each([
    [null, 'Tollgate could not start: null'],
    [undefined, 'Tollgate could not start: undefined'],
    ['out of luck', 'Tollgate could not start: out of luck'],
  ])('describes %p', (error, sentence) => {
    expect(startFault(error, ENV)).toBe(sentence);
  });
});

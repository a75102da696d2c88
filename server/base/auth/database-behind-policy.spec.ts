import { describe, expect, it } from '@jest/globals';
import { Logger } from '@nestjs/common';
import { FakeClock } from '../../../test/support/fake-clock.js';
import { DegradedModes } from '../../infra/observability/degraded-modes.js';
import type { AccessLevel } from '../access/access.js';
import { DatabaseBehindPolicy } from './database-behind-policy.js';

const modes = new DegradedModes(new FakeClock());
const behind = new DatabaseBehindPolicy(modes);
const refused = expect.objectContaining({ code: 'database_behind', retryAfterMs: 60_000 });

describe('DatabaseBehindPolicy', () => {
  it('refuses nothing while the database has all known rows', () => {
    expect(() => behind.assertMaySignIn()).not.toThrow();
    expect(() => behind.assertMayCall({ level: 'notify', isReading: false, role: undefined })).not.toThrow();
  });

  it.each<[boolean, AccessLevel, boolean, number | undefined]>([
    [true, 'user', true, 1],
    [true, 'public', true, undefined],
    [false, 'user', false, 1],
    [false, 'public', false, undefined],
    [true, 'admin', false, 10],
    [true, 'root', false, 100],
    [false, 'notify', true, undefined],
    [false, 'notify', false, undefined],
  ])('answers %s on a route of %s, reading: %s, to the role %s', (isAnswered, level, isReading, role) => {
    Logger.overrideLogger(false);
    modes.set('database-behind', 'lost a day');
    const call = () => behind.assertMayCall({ level, isReading, role });
    if (isAnswered) expect(call).not.toThrow();
    else expect(call).toThrow(refused);
    expect(() => behind.assertMaySignIn()).toThrow(refused);
    modes.set('database-behind', null);
    Logger.overrideLogger(['log', 'warn', 'error', 'fatal']);
  });
});

import { describe, expect, it } from '@jest/globals';
import type { Env } from '../../../config/env.js';
import { DeploymentName } from './deployment-name.js';

const named = (cryptoSecret: string) => new DeploymentName({ cryptoSecret } as Env);

describe('DeploymentName', () => {
  it('gives an end user the same digest in all instances of an installation, and another elsewhere', () => {
    const digest = named('one secret').digestOf('user-1');
    expect(digest).toMatch(/^[0-9a-f]{64}$/);
    expect(named('one secret').digestOf('user-1')).toBe(digest);
    expect(named('one secret').digestOf('user-2')).not.toBe(digest);
    expect(named('another secret').digestOf('user-1')).not.toBe(digest);
  });
});

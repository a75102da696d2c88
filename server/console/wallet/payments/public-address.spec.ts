import { describe, expect, it } from '@jest/globals';
import type { Env } from '../../../config/env.js';
import { publicAddress } from './public-address.js';

describe('publicAddress', () => {
  it.each([
    ['https://a.example/', {}, 'https://a.example'],
    ['', { serverAddress: 'https://b.example' }, 'https://b.example'],
    ['', {}, 'http://localhost:3000'],
    ['', { basePath: '/gateway' }, 'http://localhost:3000/gateway'],
  ])('makes of option %j and environment %j %s', (ServerAddress, env, address) => {
    expect(publicAddress({ ServerAddress }, { port: 3000, basePath: '', ...env } as Env)).toBe(address);
  });
});

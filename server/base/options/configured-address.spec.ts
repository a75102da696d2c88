import { describe, expect, it } from '@jest/globals';
import { configuredAddress } from './server-address.js';

describe('configuredAddress', () => {
  it.each([
    ['https://a.example', undefined, '', 'https://a.example'],
    ['https://a.example/', 'https://b.example', '', 'https://a.example'],
    ['', 'https://b.example//', '', 'https://b.example'],
    ['', undefined, '/gateway', ''],
    ['https://a.example', undefined, '/gateway', 'https://a.example/gateway'],
    ['https://a.example/gateway/', undefined, '/gateway', 'https://a.example/gateway'],
  ])('makes of option %j, variable %j and path %j %j', (ServerAddress, serverAddress, basePath, address) => {
    expect(configuredAddress({ ServerAddress }, { serverAddress, basePath })).toBe(address);
  });
});

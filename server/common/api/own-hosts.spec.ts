import { describe, expect, it } from '@jest/globals';
import { readProxyTrust } from './client-address.js';
import { isLoopbackHost, OwnHosts } from './own-hosts.js';

const PEER = '::ffff:127.0.0.1';

const hostsOf = ({
  isLoopback = true,
  proxies,
  addresses = [],
}: {
  readonly isLoopback?: boolean;
  readonly proxies?: string;
  readonly addresses?: readonly string[];
}): OwnHosts => new OwnHosts({ isLoopback, trust: readProxyTrust(proxies), addresses: () => addresses });

const OWN = [
  'localhost',
  'LOCALHOST',
  'localhost.',
  'localhost:3000',
  'localhost:',
  'app.localhost:3000',
  '127.0.0.1',
  '127.0.0.1:3000',
  '127.255.255.254',
  '[::1]',
  '[::1]:3000',
  '[0:0:0:0:0:0:0:1]:80',
  '[::ffff:127.0.0.1]:3000',
];
const FOREIGN = [
  'rebind.example',
  'rebind.example:3000',
  'x',
  'localhost.example',
  'localhost.example.',
  'notlocalhost',
  '127.0.0.1.example',
  '127.0.0.1.nip.io:3000',
  '10.0.0.1',
  '192.168.1.5:3000',
  '0.0.0.0',
  '[::]',
  '[fd00::1]',
  '[::ffff:10.0.0.1]',
  'localhost@evil.example',
  'evil.example#localhost',
  'localhost/evil',
  'evil localhost',
  'localhost:80:evil',
  '[::1',
  'localhost:evil',
  '127.1',
  '2130706433',
  '.localhost.example',
  'ｌocalhost',
];

describe('a server that listens on loopback', () => {
  it.each(OWN)('answers to %s', (host) => {
    expect(hostsOf({}).answers(host, PEER)).toBe(true);
  });

  it.each(FOREIGN)('does not answer to %s', (host) => {
    const hosts = hostsOf({});
    expect(hosts.answers('localhost:3000', PEER)).toBe(true);
    expect(hosts.answers(host, PEER)).toBe(false);
  });

  it('answers to the addresses it is published under, as soon as they are known and as long as they are', () => {
    let addresses = ['https://gate.example:8443/path', ''];
    const hosts = new OwnHosts({ isLoopback: true, trust: null, addresses: () => addresses });
    expect(hosts.answers('gate.example', PEER)).toBe(true);
    expect(hosts.answers('GATE.example.:443', PEER)).toBe(true);
    expect(hosts.answers('other.gate.example', PEER)).toBe(false);
    addresses = ['https://other.example', 'http://192.168.1.5:3000'];
    expect(hosts.answers('gate.example', PEER)).toBe(false);
    expect(hosts.answers('other.example', PEER)).toBe(true);
    expect(hosts.answers('192.168.1.5:3000', PEER)).toBe(true);
  });

  it.each(['loopback', '1', '127.0.0.1'])('answers what a trusted proxy (%s) passes on', (proxies) => {
    expect(hostsOf({ proxies }).answers('gate.example', PEER)).toBe(true);
  });

  it('rejects a proxy that is not trusted', () => {
    expect(hostsOf({ proxies: '10.0.0.0/8' }).answers('gate.example', PEER)).toBe(false);
  });

  it('answers requests without a host: browsers always name one', () => {
    expect(hostsOf({}).answers(undefined, PEER)).toBe(true);
    expect(hostsOf({}).answers('', PEER)).toBe(true);
  });
});

describe('a server that others reach', () => {
  it.each([...OWN, ...FOREIGN])('answers to %s', (host) => {
    expect(hostsOf({ isLoopback: false }).answers(host, '192.168.1.7')).toBe(true);
  });

  it.each(OWN)('accepts its name at %s from a client, but not from a proxy that writes it', (host) => {
    const hosts = hostsOf({ isLoopback: false });
    expect(hosts.isKnownHost(host, {})).toBe(true);
    for (const field of ['x-forwarded-for', 'x-forwarded-host', 'x-real-ip', 'forwarded', 'via'])
      expect(hosts.isKnownHost(host, { [field]: '203.0.113.9' })).toBe(false);
  });

  it.each(FOREIGN)('does not know a name at %s', (host) => {
    expect(hostsOf({ isLoopback: false }).isKnownHost(host, {})).toBe(false);
  });

  it('accepts its published address through any proxy', () => {
    const hosts = hostsOf({ isLoopback: false, addresses: ['https://gate.example'] });
    expect(hosts.isKnownHost('gate.example', { 'x-forwarded-for': '203.0.113.9' })).toBe(true);
  });
});

describe('isLoopbackHost', () => {
  it.each(['127.0.0.1', '127.0.0.2', '::1', '[::1]', 'localhost', '::ffff:127.0.0.1'])(
    'recognizes %s as this machine',
    (host) => {
      expect(isLoopbackHost(host)).toBe(true);
    },
  );
  it.each(['0.0.0.0', '::', '10.0.0.1', 'gate.example', ''])('does not take %j for it', (host) => {
    expect(isLoopbackHost(host)).toBe(false);
  });
});

import { describe, expect, it } from '@jest/globals';
import type { LookupAddress } from 'node:dns';
import { OUTBOUND_CALLERS, type OutboundCaller } from './outbound-callers.js';
import { hostUseOf, OutboundPolicy, OutboundRefusal } from './safe-url.js';
import { classifyAddress, normaliseAddress } from './special-addresses.js';

const CLASSES: readonly (readonly [address: string, meaning: string])[] = [
  ['8.8.8.8', 'public'],
  ['1.1.1.1', 'public'],
  ['172.15.255.255', 'public'],
  ['172.32.0.0', 'public'],
  ['100.63.255.255', 'public'],
  ['100.128.0.0', 'public'],
  ['223.255.255.255', 'public'],
  ['0.0.0.0', 'special'],
  ['0.1.2.3', 'special'],
  ['10.0.0.1', 'private'],
  ['10.255.255.255', 'private'],
  ['100.64.0.1', 'private'],
  ['100.100.100.200', 'metadata'],
  ['127.0.0.1', 'loopback'],
  ['127.255.255.254', 'loopback'],
  ['168.63.129.16', 'metadata'],
  ['169.254.0.1', 'link-local'],
  ['169.254.169.254', 'metadata'],
  ['169.254.170.2', 'metadata'],
  ['172.16.0.1', 'private'],
  ['172.31.255.255', 'private'],
  ['192.0.0.8', 'special'],
  ['192.0.2.1', 'special'],
  ['192.31.196.1', 'special'],
  ['192.52.193.1', 'special'],
  ['192.88.99.1', 'special'],
  ['192.168.1.1', 'private'],
  ['192.175.48.1', 'special'],
  ['198.18.0.1', 'special'],
  ['198.19.255.255', 'special'],
  ['198.51.100.7', 'special'],
  ['203.0.113.9', 'special'],
  ['224.0.0.1', 'special'],
  ['239.255.255.250', 'special'],
  ['240.0.0.1', 'special'],
  ['255.255.255.255', 'special'],
  ['2606:4700::1111', 'public'],
  ['2a00:1450:4001::1', 'public'],
  ['::', 'special'],
  ['::1', 'loopback'],
  ['[::1]', 'loopback'],
  ['::ffff:127.0.0.1', 'loopback'],
  ['::ffff:7f00:1', 'loopback'],
  ['::ffff:10.1.2.3', 'private'],
  ['::ffff:169.254.169.254', 'metadata'],
  ['::ffff:8.8.8.8', 'public'],
  ['::127.0.0.1', 'special'],
  ['::ffff:0:127.0.0.1', 'special'],
  ['64:ff9b::127.0.0.1', 'loopback'],
  ['64:ff9b::a9fe:a9fe', 'metadata'],
  ['64:ff9b::8.8.8.8', 'public'],
  ['64:ff9b:1::1', 'special'],
  ['100::1', 'special'],
  ['2001::1', 'special'],
  ['2001:0:4136:e378::1', 'special'],
  ['2001:2::1', 'special'],
  ['2001:20::1', 'special'],
  ['2001:db8::1', 'special'],
  ['2002:7f00:1::', 'special'],
  ['2002:808:808::1', 'special'],
  ['2620:4f:8000::1', 'special'],
  ['3fff::1', 'special'],
  ['5f00::1', 'special'],
  ['fc00::1', 'private'],
  ['fdff:ffff::1', 'private'],
  ['fd00:ec2::254', 'metadata'],
  ['fe80::1', 'link-local'],
  ['fe80::1%eth0', 'link-local'],
  ['fec0::1', 'special'],
  ['ff02::1', 'special'],
  ['not-an-address', 'special'],
  ['127.1', 'special'],
];

const policy = (
  { allowed = [], isLoopback = false }: { allowed?: readonly string[]; isLoopback?: boolean } = {},
  names: Readonly<Record<string, readonly string[]>> = {},
): OutboundPolicy =>
  new OutboundPolicy({ allowedPrivateHosts: allowed, isLoopback }, (hostname, callback) => {
    const found = names[hostname];
    if (found === undefined) callback(new Error('ENOTFOUND'), []);
    else
      callback(
        null,
        found.map((address): LookupAddress => ({ address, family: address.includes(':') ? 6 : 4 })),
      );
  });

const lookUp = (from: OutboundPolicy, hostname: string, caller: OutboundCaller): Promise<LookupAddress[]> =>
  new Promise((resolve, reject) => {
    from.lookupFor(caller, hostUseOf(new URL(`https://${hostname}/`)))(
      hostname,
      { all: true },
      (error, found) => {
        if (error !== null) reject(error);
        else resolve(found as LookupAddress[]);
      },
    );
  });

describe('classifyAddress', () => {
  it.each(CLASSES)('%s is %s [NET-03]', (address, meaning) => {
    expect(classifyAddress(address)).toBe(meaning);
  });

  it('writes a mapped IPv4 address as IPv4', () => {
    expect(normaliseAddress('::ffff:10.0.0.1')).toBe('10.0.0.1');
    expect(normaliseAddress('[2606:4700:0::1111]')).toBe('2606:4700::1111');
  });
});

describe('OutboundPolicy', () => {
  it('returns the refusal without counting it', () => {
    const policy = new OutboundPolicy({ isLoopback: false, allowedPrivateHosts: [] });
    expect(policy.complaintAbout('https://example.com/', 'identity')).toBeUndefined();
    expect(policy.complaintAbout('http://example.com/', 'identity')).toContain(
      'ALLOWED_PRIVATE_HOSTS_IDENTITY',
    );
    expect(policy.complaintAbout('https://10.0.0.1/', 'service')).toContain('ALLOWED_PRIVATE_HOSTS_SERVICES');
    expect(policy.refusals).toBe(0);
    expect(() => policy.parse('https://10.0.0.1/', 'service')).toThrow();
    expect(policy.refusals).toBe(1);
  });

  it.each([
    'http://127.0.0.1/v1',
    'http://2130706433/',
    'http://0x7f.1/',
    'http://0177.0.0.1/',
    'http://127.1/',
    'http://[::1]/',
    'http://[::ffff:7f00:1]/',
    'http://0.0.0.0/',
    'http://10.0.0.1/',
    'http://169.254.169.254/latest/meta-data',
    'http://metadata.google.internal/',
    'http://metadata.google.internal./',
    'https://user:secret@example.com/',
    'ftp://example.com/',
    'file:///etc/passwd',
    'http://example.com:6379/',
    'http://example.com:5432/',
    'http://example.com:22/',
    'nonsense',
    '',
  ])('refuses %s for every caller [NET-01, CH-03]', (address) => {
    for (const caller of Object.keys(OUTBOUND_CALLERS) as OutboundCaller[]) {
      expect(() => policy().parse(address, caller)).toThrow(OutboundRefusal);
    }
  });

  it('requires https from all callers but channels [NET-01]', () => {
    expect(() => policy().parse('http://example.com/', 'user')).toThrow('https');
    expect(() => policy().parse('http://example.com/', 'service')).toThrow('https');
    expect(policy().parse('http://example.com/v1', 'channel').hostname).toBe('example.com');
  });

  it('names the variable that would allow a private address', () => {
    expect(() => policy().parse('http://192.168.1.5:8000', 'channel')).toThrow('ALLOWED_PRIVATE_HOSTS');
  });

  it('lets only channels reach the local network when the instance listens on loopback', () => {
    const local = policy({ isLoopback: true }, { localhost: ['127.0.0.1', '::1'] });
    expect(local.parse('http://127.0.0.1:11434/v1', 'channel').port).toBe('11434');
    expect(local.parse('http://192.168.1.5/v1', 'channel').hostname).toBe('192.168.1.5');
    expect(() => local.parse('https://127.0.0.1/', 'user')).toThrow(OutboundRefusal);
    expect(() => local.parse('https://127.0.0.1/', 'service')).toThrow(OutboundRefusal);
    expect(() => local.parse('http://127.0.0.1:6379/', 'channel')).toThrow('6379');
    expect(() => local.parse('http://169.254.169.254/', 'channel')).toThrow(OutboundRefusal);
    expect(() => local.parse('http://0.0.0.0/', 'channel')).toThrow(OutboundRefusal);
  });

  it('reads ALLOWED_PRIVATE_HOSTS as names, suffixes, addresses and ranges', async () => {
    const some = policy(
      { allowed: ['ollama.lan', '*.internal.example', '10.1.0.0/16', '192.168.7.7', 'fd12::/16'] },
      { 'ollama.lan': ['192.168.9.9'], 'a.internal.example': ['172.16.0.1'], 'other.lan': ['192.168.9.9'] },
    );
    expect(some.parse('http://10.1.2.3/', 'channel').hostname).toBe('10.1.2.3');
    expect(some.parse('https://[fd12::5]/', 'service').hostname).toBe('[fd12::5]');
    expect(some.parse('http://192.168.7.7/', 'service').hostname).toBe('192.168.7.7');
    expect(() => some.parse('http://10.2.0.1/', 'channel')).toThrow(OutboundRefusal);
    await expect(lookUp(some, 'ollama.lan', 'channel')).resolves.toHaveLength(1);
    await expect(lookUp(some, 'a.internal.example', 'identity')).resolves.toHaveLength(1);
    await expect(lookUp(some, 'a.internal.example', 'user')).rejects.toThrow('ALLOWED_PRIVATE_HOSTS_USERS');
    await expect(lookUp(some, 'other.lan', 'channel')).rejects.toThrow('ALLOWED_PRIVATE_HOSTS');
    expect(() => policy({ allowed: ['10.0.0.0/99'] })).toThrow('ALLOWED_PRIVATE_HOSTS');
  });

  it('refuses a name as soon as one of its addresses is refused [NET-02]', async () => {
    const mixed = policy(
      {},
      { 'rebind.example': ['8.8.8.8', '127.0.0.1'], 'good.example': ['8.8.8.8', '2606:4700::1111'] },
    );
    await expect(lookUp(mixed, 'rebind.example', 'channel')).rejects.toThrow(OutboundRefusal);
    await expect(lookUp(mixed, 'good.example', 'channel')).resolves.toHaveLength(2);
    await expect(mixed.check('https://rebind.example/', 'user')).rejects.toThrow(OutboundRefusal);
    await expect(mixed.check('https://good.example/', 'user')).resolves.toBeInstanceOf(URL);
    await expect(mixed.check('https://unknown.example/', 'user')).resolves.toBeInstanceOf(URL);
  });

  it('never calls a metadata service, allowed or not', async () => {
    const open = policy(
      { allowed: ['0.0.0.0/0', 'meta.example'], isLoopback: true },
      { 'meta.example': ['169.254.169.254'] },
    );
    expect(() => open.parse('http://169.254.169.254/', 'channel')).toThrow('Metadata');
    await expect(lookUp(open, 'meta.example', 'channel')).rejects.toThrow('Metadata');
  });
});

describe('mail servers', () => {
  const policy = new OutboundPolicy({ allowedPrivateHosts: ['127.0.0.1'], isLoopback: false });

  it.each([
    [25, true],
    [465, true],
    [587, true],
    [2_525, true],
    [22, false],
    [80, false],
    [443, false],
    [6_379, false],
    [11_211, false],
  ])('allows port %i: %s [NET-01]', (port, isCalled) => {
    const check = (): void => policy.checkMailServer('smtp.example.test', port);
    if (isCalled) expect(check).not.toThrow();
    else expect(check).toThrow(OutboundRefusal);
  });

  it.each([
    ['10.0.0.1', false],
    ['169.254.169.254', false],
    ['metadata.google.internal', false],
    ['127.0.0.1', true],
    ['8.8.8.8', true],
  ])('allows %s: %s [NET-03]', (host, isCalled) => {
    const check = (): void => policy.checkMailServer(host, 587);
    if (isCalled) expect(check).not.toThrow();
    else expect(check).toThrow(OutboundRefusal);
  });
});

import { describe, expect, it } from '@jest/globals';
import type { LookupAddress } from 'node:dns';
import {
  HOST_LIST_VARIABLES,
  type HostListName,
  type HostListSettings,
  OUTBOUND_CALLERS,
  type OutboundCaller,
} from './outbound-callers.js';
import { OutboundPolicy } from './safe-url.js';

const CALLERS = Object.keys(OUTBOUND_CALLERS) as OutboundCaller[];
const LISTS = Object.keys(HOST_LIST_VARIABLES) as HostListName[];

/** Every way to write one address of this machine and one of its network. */
const SPELLINGS: Readonly<Record<string, readonly string[]>> = {
  '127.0.0.1': [
    '127.0.0.1',
    '127.1',
    '2130706433',
    '0x7f000001',
    '0x7f.0.0.1',
    '0177.0.0.1',
    '017700000001',
    '[::ffff:127.0.0.1]',
    '[::ffff:7f00:1]',
    '[0:0:0:0:0:ffff:7f00:0001]',
    '１２７.0.0.1',
    'inside.example',
  ],
  '10.1.2.3': [
    '10.1.2.3',
    '10.1.515',
    '167838211',
    '0xa.1.2.3',
    '012.1.2.3',
    '[::ffff:a01:203]',
    'network.example',
  ],
};
const NAMES: Readonly<Record<string, string>> = {
  'inside.example': '127.0.0.1',
  'network.example': '10.1.2.3',
};

const settingsOf = (lists: Partial<Record<HostListName, readonly string[]>>): HostListSettings => ({
  allowedPrivateHosts: lists.channels ?? [],
  allowedPrivateHostsIdentity: lists.identity,
  allowedPrivateHostsServices: lists.services,
  allowedPrivateHostsUsers: lists.users,
});

const policyOf = (lists: Partial<Record<HostListName, readonly string[]>>): OutboundPolicy =>
  new OutboundPolicy({ ...settingsOf(lists), isLoopback: false }, (name, callback) => {
    const address = NAMES[name];
    if (address === undefined) callback(new Error('ENOTFOUND'), []);
    else callback(null, [{ address, family: 4 } satisfies LookupAddress]);
  });

/** Both checks an address goes through: as it is typed, and as its name is resolved. */
const isCalled = (policy: OutboundPolicy, address: string, caller: OutboundCaller): Promise<boolean> =>
  policy.check(address, caller).then(
    () => true,
    () => false,
  );

const CASES = Object.entries(SPELLINGS).flatMap(([address, hosts]) =>
  hosts.map((host) => ({ address, host })),
);

describe.each(CASES)('$host, which is $address', ({ address, host }) => {
  it.each(CALLERS)(
    'opens to %s by its own list at the port named there, and by no other list',
    async (caller) => {
      const { list } = OUTBOUND_CALLERS[caller];
      const closed = policyOf({});
      expect(await isCalled(closed, `https://${host}:8443/`, caller)).toBe(false);
      for (const other of LISTS.filter((name) => name !== list)) {
        const lists = { [list]: [], [other]: [`${address}:8443`] };
        expect(await isCalled(policyOf(lists), `https://${host}:8443/`, caller)).toBe(false);
      }
      const open = policyOf({ [list]: [`${address}:8443`] });
      expect(await isCalled(open, `https://${host}:8443/`, caller)).toBe(true);
      expect(await isCalled(open, `https://${host}:8444/`, caller)).toBe(false);
      expect(await isCalled(open, `https://${host}/`, caller)).toBe(false);
    },
  );
});

describe('the list of channels', () => {
  it.each(CALLERS)(
    'counts for %s as it did before the others had lists, but never for users',
    async (caller) => {
      const policy = policyOf({ channels: ['10.0.0.0/8', 'inside.example'] });
      const expected = caller !== 'user';
      for (const host of ['10.1.2.3', 'network.example', 'inside.example'])
        for (const port of ['', ':8443'])
          expect([host, port, await isCalled(policy, `https://${host}${port}/`, caller)]).toEqual([
            host,
            port,
            expected,
          ]);
      expect(await isCalled(policy, 'http://inside.example:8080/', caller)).toBe(expected);
    },
  );
});

describe('a list of its own', () => {
  const own = CALLERS.filter((caller) => OUTBOUND_CALLERS[caller].list !== 'channels');

  it.each(own)('takes the place of the shared one for %s', async (caller) => {
    const { list } = OUTBOUND_CALLERS[caller];
    const policy = policyOf({ channels: ['10.0.0.0/8'], [list]: [] });
    expect(await isCalled(policy, 'https://10.1.2.3/', caller)).toBe(false);
  });

  it.each(own)(
    'opens without a port the usual one of the scheme to %s, and with :* every one',
    async (caller) => {
      const { list } = OUTBOUND_CALLERS[caller];
      const usual = policyOf({ [list]: ['network.example', '127.0.0.1'] });
      expect(await isCalled(usual, 'https://network.example/', caller)).toBe(true);
      expect(await isCalled(usual, 'http://network.example/', caller)).toBe(true);
      for (const address of [
        'https://network.example:80/',
        'http://network.example:443/',
        'http://127.0.0.1:8080/',
      ])
        expect([address, await isCalled(usual, address, caller)]).toEqual([address, false]);
      const all = policyOf({ [list]: ['network.example:*'] });
      expect(await isCalled(all, 'http://network.example:8080/', caller)).toBe(true);
      expect(await isCalled(all, 'http://network.example:6379/', caller)).toBe(false);
      expect(await isCalled(all, 'http://network.example:22/', caller)).toBe(false);
    },
  );

  it.each(own)('lets %s use plain http with named hosts only, not with all of a range', async (caller) => {
    const { list } = OUTBOUND_CALLERS[caller];
    const policy = policyOf({ [list]: ['10.0.0.0/8', '127.0.0.1'] });
    expect(await isCalled(policy, 'http://10.1.2.3/', caller)).toBe(false);
    expect(await isCalled(policy, 'https://10.1.2.3/', caller)).toBe(true);
    expect(await isCalled(policy, 'http://127.0.0.1/', caller)).toBe(true);
  });
});

describe('mail', () => {
  it('allows hosts of the services, without a port for those of mail', () => {
    const usual = policyOf({ services: ['10.1.2.3', '127.0.0.1:2525'] });
    for (const port of [25, 465, 587]) expect(() => usual.checkMailServer('10.1.2.3', port)).not.toThrow();
    expect(() => usual.checkMailServer('10.1.2.3', 2525)).toThrow('ALLOWED_PRIVATE_HOSTS_SERVICES');
    expect(() => usual.checkMailServer('127.0.0.1', 2525)).not.toThrow();
    expect(() => usual.checkMailServer('127.0.0.1', 587)).toThrow('127.0.0.1');
  });
});

describe('a proxy of a channel', () => {
  it.each([
    ['socks5://10.1.2.3:1080', true],
    ['socks5h://10.1.2.3', true],
    ['socks5://10.1.2.3:1081', false],
    ['http://10.1.2.3:3128', false],
  ])('%s is called: %s, by host and port like the channel itself', (proxy, isOpen) => {
    const check = (): void => policyOf({ channels: ['10.1.2.3:1080'] }).checkProxy(new URL(proxy));
    if (isOpen) expect(check).not.toThrow();
    else expect(check).toThrow('10.1.2.3');
  });
});

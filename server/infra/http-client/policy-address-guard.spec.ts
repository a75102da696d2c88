import { describe, expect, it } from '@jest/globals';
import { FakeClock } from '../../../test/support/fake-clock.js';
import { hostsOfAddress } from '../../relay-core/pipeline/request/address-hosts.js';
import { PolicyAddressGuard } from './policy-address-guard.js';
import { OutboundPolicy, type OutboundPolicySettings } from './safe-url.js';

const NAMES: Readonly<Record<string, string>> = { 'inner.example': '10.0.0.5', 'outer.example': '8.8.8.8' };

function guardWith(settings: Partial<OutboundPolicySettings> = {}) {
  const asked: string[] = [];
  const policy = new OutboundPolicy(
    { allowedPrivateHosts: [], isLoopback: true, ...settings },
    (name, end) => {
      asked.push(name);
      const address = NAMES[name];
      if (address === undefined) end(new Error('ENOTFOUND'), []);
      else end(null, [{ address, family: 4 }]);
    },
  );
  const guard = new PolicyAddressGuard(policy, new FakeClock());
  const isClosed = (text: string) => hostsOfAddress(text).some((host) => guard.isClosed(host));
  return { guard, policy, asked, isClosed };
}
const hostOf = (text: string) => hostsOfAddress(text)[0] ?? fail(text);
function fail(text: string): never {
  throw new Error(`no host in ${text}`);
}

describe('PolicyAddressGuard', () => {
  it.each([
    'http://127.0.0.1:8099',
    'http://10.0.0.1',
    'http://192.168.1.1',
    'http://172.16.0.1',
    'http://100.64.0.1',
    'http://169.254.1.1',
    'http://169.254.169.254',
    'http://100.100.100.200',
    'http://0.0.0.0',
    'http://224.0.0.1',
    'http://[::1]',
    'http://[::]',
    'http://[fd00::1]',
    'http://[fe80::1%25eth0]',
    'http://[::ffff:10.0.0.1]',
    'http://[64:ff9b::a00:1]',
    'http://[2002:a00:1::]',
    'http://[fd00:ec2::254]',
    'http://[::ffff:a9fe:a9fe]',
    'http://localhost',
    'http://metadata.google.internal/',
    'http://metadata/',
    'http://010.0.0.1/',
  ])('closes %s without a look-up, and counts it', (text) => {
    const { isClosed, asked, policy } = guardWith();
    expect(isClosed(text)).toBe(true);
    expect(policy.refusals).toBe(1);
    expect(asked).toEqual([]);
  });

  it.each([
    'https://8.8.8.8/',
    'http://[2606:4700::1111]/',
    'https://inner.example/',
    'http://8.8.8.8:6379/',
  ])('leaves %s open', (text) => {
    expect(guardWith().isClosed(text)).toBe(false);
  });

  it('opens what ALLOWED_PRIVATE_HOSTS_USERS names, with its port, but no metadata service', () => {
    const { isClosed } = guardWith({
      allowedPrivateHostsUsers: ['127.0.0.1:8099', '10.0.0.0/8', 'localhost:3000', '169.254.0.0/16'],
    });
    const closed = [
      'http://127.0.0.1:8099',
      'http://10.2.3.4',
      'http://localhost:3000/a',
      'http://169.254.9.9',
    ];
    expect(closed.map(isClosed)).toEqual([false, false, false, false]);
    const open = [
      'http://127.0.0.1:8098',
      'http://10.2.3.4:81',
      'http://localhost/',
      'http://169.254.169.254',
    ];
    expect(open.map(isClosed)).toEqual([true, true, true, true]);
  });

  it('does not take the hosts that are open to channels for open to users', () => {
    expect(guardWith({ allowedPrivateHosts: ['10.0.0.5'] }).isClosed('http://10.0.0.5')).toBe(true);
  });

  it('resolves names of callers and of channels', async () => {
    const { guard } = guardWith();
    expect(await guard.resolvesClosed(hostOf('https://inner.example'))).toBe(true);
    expect(await guard.resolvesClosed(hostOf('https://outer.example'))).toBe(false);
    expect(await guard.resolvesClosed(hostOf('https://gone.example'))).toBe(false);
    const channels = ['http://10.0.0.1:8000', 'http://[::1]:1', 'https://8.8.8.8/v1', 'no address'];
    expect(channels.map((url) => guard.isInside(url))).toEqual([true, true, false, false]);
    expect(await guard.isInside('http://inner.example:11434')).toBe(true);
    expect(await guard.isInside('https://outer.example')).toBe(false);
    expect(await guard.isInside('https://gone.example')).toBe(false);
  });

  it('opens a name that ALLOWED_PRIVATE_HOSTS_USERS has', async () => {
    const { guard } = guardWith({ allowedPrivateHostsUsers: ['inner.example:8099'] });
    expect(await guard.resolvesClosed(hostOf('http://inner.example:8099'))).toBe(false);
    expect(await guard.resolvesClosed(hostOf('http://inner.example'))).toBe(true);
  });
});

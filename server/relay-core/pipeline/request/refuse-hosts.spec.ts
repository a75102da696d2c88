import { describe, expect, it } from '@jest/globals';
import { AddressGuard, type NamedHost } from '../../ports/address-guard.js';
import type { HostPlace } from './named-hosts.js';
import { refuseClosedHosts, refuseClosedNames } from './refuse-hosts.js';

/** Closes 10.0.0.5 and the name `inner.example`. */
class SomeGuard extends AddressGuard {
  readonly lookedUp: string[] = [];

  constructor(private readonly inside: boolean | Promise<boolean> = true) {
    super();
  }
  override isClosed({ address }: NamedHost): boolean {
    return address === '10.0.0.5';
  }
  override isInside(): boolean | Promise<boolean> {
    return this.inside;
  }
  override resolvesClosed({ name }: NamedHost): Promise<boolean> {
    this.lookedUp.push(name);
    return Promise.resolve(name === 'inner.example');
  }
}

const named = (name: string, address?: string): HostPlace => ({
  host: { name, address, port: 8099, scheme: 'http:' },
  place: 'a.url',
});
const CHANNEL = 'http://10.1.1.1:8000';

describe('refuseClosedHosts', () => {
  it('names the member, the host, the port and the variable that opens it', () => {
    const hosts = [named('outer.example'), named('10.0.0.5', '10.0.0.5')];
    const refused = refuseClosedHosts(new SomeGuard(), hosts);
    expect(refused).toMatchObject({ kind: 'invalid-request', blame: 'caller', param: 'a.url' });
    expect(refused?.message).toContain('a.url: no upstream is asked to fetch from 10.0.0.5');
    expect(refused?.message).toContain('port (8099) in ALLOWED_PRIVATE_HOSTS_USERS');
  });

  it('takes names and other addresses without a look-up', () => {
    const guard = new SomeGuard();
    expect(refuseClosedHosts(guard, [named('inner.example'), named('8.8.8.8', '8.8.8.8')])).toBeUndefined();
    expect(guard.lookedUp).toEqual([]);
  });

  it('takes everything without a guard', () => {
    expect(refuseClosedHosts(undefined, [named('10.0.0.5', '10.0.0.5')])).toBeUndefined();
  });
});

describe('refuseClosedNames', () => {
  it('refuses a name that resolves to a closed address, for a channel inside', async () => {
    for (const inside of [true, Promise.resolve(true)]) {
      const hosts = [named('outer.example'), named('inner.example')];
      expect((await refuseClosedNames(new SomeGuard(inside), hosts, CHANNEL))?.message).toContain(
        'inner.example, which resolves to an address of a private network',
      );
    }
  });

  it('looks nothing up for a channel outside, for the vendor itself, and for addresses', async () => {
    const outside = new SomeGuard(Promise.resolve(false));
    expect(await refuseClosedNames(outside, [named('inner.example')], CHANNEL)).toBeUndefined();
    const guard = new SomeGuard();
    expect(refuseClosedNames(new SomeGuard(false), [named('inner.example')], CHANNEL)).toBeUndefined();
    expect(refuseClosedNames(guard, [named('inner.example')], '')).toBeUndefined();
    expect(refuseClosedNames(guard, [named('8.8.8.8', '8.8.8.8')], CHANNEL)).toBeUndefined();
    expect(refuseClosedNames(guard, [], CHANNEL)).toBeUndefined();
    expect([...outside.lookedUp, ...guard.lookedUp]).toEqual([]);
  });

  it('looks every name up once, and refuses more than 32', async () => {
    const guard = new SomeGuard();
    expect(await refuseClosedNames(guard, [named('a'), named('b'), named('a')], CHANNEL)).toBeUndefined();
    expect(guard.lookedUp).toEqual(['a', 'b']);
    const many = Array.from({ length: 33 }, (_, index) => named(`n${index}`));
    expect((await refuseClosedNames(guard, many, CHANNEL))?.message).toContain('At most 32 hosts');
    expect(guard.lookedUp).toEqual(['a', 'b']);
  });
});

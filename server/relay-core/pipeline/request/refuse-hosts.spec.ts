import { describe, expect, it } from '@jest/globals';
import { AddressGuard, type NamedHost } from '../../ports/address-guard.js';
import { scanObject } from '../../framing/json-splice.js';
import type { CallShape } from '../../model/call.js';
import {
  type HostPlace,
  hostsInDocument,
  hostsOfCall,
  refuseClosedHosts,
  refuseClosedNames,
} from './refuse-hosts.js';

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

describe('hostsOfCall', () => {
  const callOf = (body: object, submission?: object) => {
    const document = scanObject(Buffer.from(JSON.stringify(body)));
    if (typeof document === 'string') throw new Error(document);
    const shape = { ...SHAPE, ...(submission === undefined ? {} : { submission }) } as CallShape;
    return [...hostsOfCall({ document, shape })].map(({ host }) => host.name);
  };
  const SHAPE = { operation: 'submit', model: 'm' };

  it('reads the whole prompt of a submission, and no other prompt', () => {
    const prompt = `${'a '.repeat(20_000)}http://10.0.0.5/a`;
    expect(callOf({ prompt }, { prompt: '' })).toEqual(['10.0.0.5']);
    expect(callOf({ prompt: 7, link: 'http://10.0.0.6' }, { prompt: '' })).toEqual(['10.0.0.6']);
    expect(callOf({ prompt })).toEqual([]);
  });
});

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

  it('refuses more than 1,000 different addresses, whether they are hosts or not', () => {
    const guard = new SomeGuard();
    const refusedWith = (urls: readonly string[]) => {
      const bytes = Buffer.from(JSON.stringify({ url: urls }));
      return refuseClosedHosts(guard, hostsInDocument(bytes))?.message;
    };
    const many = (count: number) => Array.from({ length: count }, (_, index) => `x${index}`);
    expect(refusedWith([...many(999), 'http://a.example'])).toBeUndefined();
    expect(refusedWith([...many(1_000), 'http://a.example'])).toContain('At most 1000 different addresses');
    expect(refusedWith(Array.from({ length: 9_000 }, () => 'http://a.example'))).toBeUndefined();
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

import { describe, expect, it } from '@jest/globals';
import { refusal } from '../model/refusals.js';
import { AddressGuard, type NamedHost } from '../ports/address-guard.js';
import { eventHostRefusals, firstRefusal } from './event-hosts.js';
import { RealtimeFrame } from './realtime-frame.js';

class SomeGuard extends AddressGuard {
  override isClosed({ address }: NamedHost): boolean {
    return address === '127.0.0.1';
  }
  override isInside(baseUrl: string): boolean {
    return baseUrl === 'http://10.0.0.1';
  }
  override resolvesClosed({ name }: NamedHost): Promise<boolean> {
    return Promise.resolve(name === 'inner.example');
  }
}
const frame = (event: unknown): RealtimeFrame =>
  RealtimeFrame.read(Buffer.from(typeof event === 'string' ? event : JSON.stringify(event)));
const item = (...parts: unknown[]) => ({
  type: 'conversation.item.create',
  item: { type: 'message', role: 'user', content: parts },
});
const refusalOf = eventHostRefusals({ addresses: new SomeGuard() }, { baseUrl: 'http://10.0.0.1' });
const messageOf = async (event: unknown) => (await refusalOf?.(frame(event)))?.message;

describe('eventHostRefusals', () => {
  it.each([
    item({ type: 'input_image', image_url: 'http://127.0.0.1:8099/a.png' }),
    item({ type: 'input_image', image_url: { url: 'http://2130706433/' } }),
    String.raw`{"type":"conversation.item.create","item":{"content":[{"image\u005furl":"http:\/\/127.1"}]}}`,
    { type: 'response.create', response: { input: [{ content: [{ image_url: 'http://localhost/' }] }] } },
    { type: 'session.update', session: { tools: [{ type: 'mcp', server_url: 'http://127.0.0.1/mcp' }] } },
  ])('refuses a private address at once: %j', (event) => {
    const refused = refusalOf?.(frame(event));
    expect(refused).toMatchObject({ kind: 'invalid-request' });
  });

  it('refuses a name that resolves to a private address', async () => {
    const named = (name: string) => item({ type: 'input_image', image_url: `https://${name}/a.png` });
    expect(await messageOf(named('inner.example'))).toContain('inner.example, which resolves');
    expect(await messageOf(named('outer.example'))).toBeUndefined();
  });

  it.each([
    { type: 'input_audio_buffer.append', audio: 'AAAA'.repeat(100) },
    item({ type: 'input_text', text: 'open http://127.0.0.1/' }),
    item({ type: 'input_image', image_url: 'data:image/png;base64,AAAA' }),
  ])('passes an event that names none, as its reading shows: %j', (event) => {
    expect(frame(event).mayNameHosts).toBe(false);
    expect(refusalOf?.(frame(event))).toBeUndefined();
  });

  it('returns nothing without a guard', () => {
    expect(eventHostRefusals({}, { baseUrl: '' })).toBeUndefined();
  });
});

describe('firstRefusal', () => {
  const event = frame({ type: 'x' });
  const one = refusal('failed');
  const other = refusal('shutting-down');

  it('checks the second when the first has none', async () => {
    expect(
      firstRefusal(
        () => one,
        () => other,
      )?.(event),
    ).toBe(one);
    expect(
      firstRefusal(
        () => undefined,
        () => other,
      )?.(event),
    ).toBe(other);
    expect(
      await firstRefusal(
        () => Promise.resolve(one),
        () => other,
      )?.(event),
    ).toBe(one);
    expect(
      await firstRefusal(
        () => Promise.resolve(undefined),
        () => other,
      )?.(event),
    ).toBe(other);
  });

  it('returns the other where one is absent', () => {
    const only = () => one;
    expect([firstRefusal(only, undefined), firstRefusal(undefined, only)]).toEqual([only, only]);
    expect(firstRefusal(undefined, undefined)).toBeUndefined();
  });
});

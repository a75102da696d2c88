import { describe, expect, it } from '@jest/globals';
import { frame, meteredSession } from '../../../test/support/metered-session.js';
import { RealtimeFrame } from './realtime-frame.js';

describe('caps on the output of a session', () => {
  const update = (cap: unknown) => ({ type: 'session.update', session: { max_output_tokens: cap } });
  const updated = (cap: unknown) => ({ type: 'session.updated', session: { max_output_tokens: cap } });
  const heldFor = (meter: ReturnType<typeof meteredSession>['meter'], response?: object) =>
    meter.forecast(RealtimeFrame.read(frame({ type: 'response.create', response }))).words.output.total;

  it('counts a cap of the client only once the vendor has confirmed it', () => {
    const { meter, client, server } = meteredSession();
    client(update(1));
    expect(heldFor(meter)).toBe(2_000);
    server(updated(1));
    expect(heldFor(meter)).toBe(1);
  });

  it('drops or raises a cap as soon as the client names it', () => {
    const { meter, client, server } = meteredSession();
    server(updated(10));
    client(update(5));
    expect(heldFor(meter)).toBe(10);
    client(update(3_000));
    expect(heldFor(meter)).toBe(3_000);
    client(update('inf'));
    expect(heldFor(meter)).toBe(2_000);
  });

  it('drops a cap that the vendor lifts, and keeps one that it does not mention', () => {
    const { meter, server } = meteredSession();
    server(updated(10));
    server({ type: 'session.updated', session: {} });
    expect(heldFor(meter)).toBe(10);
    server(updated('inf'));
    expect(heldFor(meter)).toBe(2_000);
  });

  it('leaves the cap of the session out where a response has expressly none', () => {
    const { meter, server } = meteredSession();
    server(updated(1));
    expect(heldFor(meter, { max_output_tokens: 'inf' })).toBe(2_000);
    expect(heldFor(meter, { max_output_tokens: 7 })).toBe(7);
  });
});

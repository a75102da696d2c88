import { describe, expect, it } from '@jest/globals';
import { MemoryPrices, MemoryQuota } from '../../../test/support/memory-money.js';
import { aCaller, aRoute, MemoryAdmission } from '../../../test/support/memory-ports.js';
import { frame, meteredSession, sound } from '../../../test/support/metered-session.js';
import { TranscriptionCalls } from './transcription-calls.js';

const SESSION = '01a22374-734b-79b5-b0f4-fe5647a72716';

function opened() {
  const quota = new MemoryQuota();
  const prices = new MemoryPrices();
  for (const model of ['a', 'b', 'c', 'd', 'e']) prices.models.add(model);
  const { meter } = meteredSession();
  const ports = { admission: new MemoryAdmission(), prices, quota };
  const route = aRoute();
  const calls = new TranscriptionCalls({ ports, callId: SESSION, caller: aCaller(), route, meter });
  return { quota, meter, calls };
}

describe('TranscriptionCalls', () => {
  it('holds once for a model, however often it is named at the same time', async () => {
    const { quota, calls } = opened();
    expect(await Promise.all([calls.allow('a'), calls.allow('a')])).toEqual([undefined, undefined]);
    expect(calls.allow('a')).toBeUndefined();
    expect([quota.holds.size, quota.dispatches.length]).toEqual([1, 1]);
    const [callId] = quota.holds.keys();
    expect(callId).toMatch(/^01a22374-734b-79b5-b0f4-[0-9a-f]{12}$/);
    expect(callId).not.toBe(SESSION);
  });

  it('refuses a model without a price, and a fifth one', async () => {
    const { calls } = opened();
    expect(calls.allow('unpriced')).toMatchObject({ kind: 'price-missing' });
    for (const model of ['a', 'b', 'c', 'd']) await calls.allow(model);
    expect(calls.allow('e')).toMatchObject({ kind: 'invalid-request' });
  });

  it('gives back a hold that is placed after the session is over, and every hold that was not settled', async () => {
    const { quota, calls } = opened();
    await calls.allow('a');
    const late = calls.allow('b');
    calls.release();
    expect(await late).toMatchObject({ kind: 'client-gone' });
    expect([quota.holds.size, quota.balance]).toEqual([0, 1_000_000]);
  });

  it('holds for waiting audio before it is transcribed, and refuses audio the account cannot pay', async () => {
    const { quota, meter, calls } = opened();
    await calls.allow('a');
    const update = { type: 'session.update', session: { input_audio_transcription: { model: 'a' } } };
    meter.readClient(frame(update));
    meter.readClient(frame({ type: 'input_audio_buffer.append', audio: sound(48_000 * 120) }));
    expect(await calls.holdNext(0)).toBeUndefined();
    expect([...quota.holds.values()][0]).toBe(3_334 + 2 * 2_000);
    quota.balance = 0;
    expect(await calls.holdNext(48_000)).toMatchObject({ kind: 'quota-insufficient' });
  });

  it('holds for the model in effect and for the one the client named in its place', async () => {
    const { quota, meter, calls } = opened();
    for (const model of ['a', 'b']) {
      await calls.allow(model);
      meter.readClient(frame({ type: 'session.update', session: { input_audio_transcription: { model } } }));
    }
    meter.readClient(frame({ type: 'input_audio_buffer.append', audio: sound(48_000 * 120) }));
    expect(await calls.holdNext(0)).toBeUndefined();
    expect([...quota.holds.values()]).toEqual([3_334 + 2 * 2_000, 3_334 + 2 * 2_000]);
  });
});

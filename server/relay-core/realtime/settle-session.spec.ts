import { describe, expect, it } from '@jest/globals';
import { FakeClock } from '../../../test/support/fake-clock.js';
import { MemoryPrices, MemoryQuota } from '../../../test/support/memory-money.js';
import { aCaller, aRoute, MemoryAdmission } from '../../../test/support/memory-ports.js';
import { frame, meteredSession, report } from '../../../test/support/metered-session.js';
import type { FinishedCall } from '../model/call.js';
import type { Hold } from '../ports/quota-holds.js';
import type { EndedSession } from './finished-session.js';
import { settleSession } from './settle-session.js';
import { TranscriptionCalls } from './transcription-calls.js';

const SESSION = '01a22374-734b-79b5-b0f4-fe5647a72716';

/** Fails to settle the calls of these models. */
class FaultyQuota extends MemoryQuota {
  readonly faulty = new Set<string>();

  override async settle(hold: Hold, call: FinishedCall): Promise<void> {
    if (this.faulty.has(call.shape.model)) throw new Error(`not settled: ${call.shape.model}`);
    return super.settle(hold, call);
  }
}

/** A session of the model "a" in which "b" and "c" transcribed. */
async function ended() {
  const quota = new FaultyQuota();
  const prices = new MemoryPrices();
  for (const model of ['a', 'b', 'c']) prices.models.add(model);
  const { meter, respond } = meteredSession();
  const caller = aCaller();
  const route = aRoute();
  const transcription = new TranscriptionCalls({
    ports: { admission: new MemoryAdmission(), prices, quota },
    callId: SESSION,
    caller,
    route,
    meter,
  });
  respond(report(10, 5));
  for (const model of ['b', 'c']) {
    await transcription.allow(model);
    const session = { input_audio_transcription: { model } };
    meter.readClient(frame({ type: 'session.update', session }));
    meter.readServer(frame({ type: 'session.updated', session }));
    const type = 'conversation.item.input_audio_transcription.completed';
    meter.readServer(frame({ type, item_id: model, transcript: 'one two' }));
  }
  const shape: EndedSession['shape'] = {
    operation: 'chat',
    model: 'a',
    stream: true,
    outputCap: undefined,
    choices: 1,
    promptTokens: 0,
    wantsStreamUsage: true,
    heldOutput: { tokens: 10, kind: 'audio' },
  };
  const quote = prices.quote(caller, shape);
  if (!quote.ok) throw new Error(quote.error.message);
  const held = await quota.reserve({ callId: SESSION, quote: quote.value });
  if (!held.ok) throw new Error(held.error.message);
  const session: EndedSession = {
    call: { callId: SESSION, receivedAtMs: 0 } as EndedSession['call'],
    caller,
    shape,
    route,
    quote: quote.value,
    end: { outcome: 'ok', error: undefined, failure: undefined, firstContentMs: undefined, meter },
    attempts: [],
    startedMs: 0,
  };
  const booked: string[] = [];
  const settle = () =>
    settleSession(
      { quota, clock: new FakeClock() },
      {
        ended: session,
        hold: held.value,
        room: { mark: (finished) => finished, settle: () => undefined },
        transcription,
        onSettled: ({ shape: { model } }) => void booked.push(model),
      },
    );
  const settled = () => quota.settled.map(({ shape: { model } }) => model);
  return { quota, settle, settled, booked };
}

describe('settleSession', () => {
  it('books the session first, then every model that transcribed', async () => {
    const { settle, settled, booked } = await ended();
    await settle();
    expect(settled()).toEqual(['a', 'b', 'c']);
    expect(booked).toEqual(['a']);
  });

  it.each([
    [['b'], ['a', 'c'], ['a']],
    [['a', 'c'], ['b'], []],
  ])(
    'books the others when the charge of %s fails, and throws the first fault',
    async (faulty, rest, own) => {
      const { quota, settle, settled, booked } = await ended();
      for (const model of faulty) quota.faulty.add(model);
      await expect(settle()).rejects.toThrow(`not settled: ${faulty[0]}`);
      expect(settled()).toEqual(rest);
      expect(booked).toEqual(own);
    },
  );
});

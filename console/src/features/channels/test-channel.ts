import * as z from 'zod/mini';
import { isApiError } from '../../api/api-error';
import { api, envelopeOf } from '../../api/client';
import type { ChannelTest } from './api';

/** Members beside `data` in the answer of a test. */
const testSchema = z.looseObject({
  time: z.catch(z.number(), 0),
  first_token_ms: z.catch(z.nullish(z.number()), undefined),
  answer: z.catch(z.nullish(z.string()), undefined),
});

/**
 * Tests one model through one channel.
 * A failed test is an answer with a reason, not an error; only a lost connection or session throws.
 */
export async function testChannel(
  id: number,
  model: string,
  stream: boolean,
  endpoint: string,
  mayCost = false,
): Promise<ChannelTest> {
  const query = {
    model,
    stream,
    ...(endpoint === '' ? {} : { endpoint_type: endpoint }),
    ...(mayCost ? { confirm_cost: true } : {}),
  };
  try {
    const answer = await envelopeOf(api.GET('/api/channel/test/{id}', { params: { path: { id }, query } }));
    return { ok: true, message: answer.message, ...read(answer) };
  } catch (error) {
    if (!isApiError(error) || error.status === 0 || error.status === 401) throw error;
    const needsConsent = error.code === 'channel_test_costs';
    return { ok: false, message: error.message, needsConsent, ...read(error.envelope ?? {}) };
  }
}

function read(envelope: Readonly<Record<string, unknown>>) {
  const { time, first_token_ms: firstTokenMs, answer } = testSchema.parse(envelope);
  return { seconds: time, firstTokenMs: firstTokenMs ?? undefined, answer: answer ?? undefined };
}

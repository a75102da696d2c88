import { describe, expect, it } from '@jest/globals';
import { anthropicErrorBody } from '../../dialects/anthropic.js';
import { anthropicMessages } from './index.js';

const bindingOf = (members: object) => {
  const body = { model: 'm', max_tokens: 9, messages: [{ role: 'user', content: 'Hi' }], ...members };
  const call = anthropicMessages.parseCall(Buffer.from(JSON.stringify(body)), {
    pathModel: undefined,
    query: '',
    headers: {},
  });
  if (!call.ok) throw new Error(call.error.message);
  return call.value.untranslatableReason?.();
};

describe('a thread of the vendor', () => {
  it.each([{ type: 'create' }, { type: 'continue', previous_message_id: 'msg_1' }])(
    'refuses it where it cannot be kept, in the words the official SDKs act on: %j',
    (thread) => {
      const refusal = bindingOf({ thread });
      expect(refusal).toMatchObject({ kind: 'invalid-request', param: 'thread' });
      if (refusal === undefined) return;
      expect(JSON.parse(anthropicErrorBody(refusal, 'call-1'))).toMatchObject({
        type: 'error',
        error: {
          type: 'invalid_request_error',
          details: { error_code: 'thread_unsupported_request', unsupported: ['thread'] },
        },
      });
    },
  );

  it('binds nothing when it is absent or null', () => {
    expect(bindingOf({})).toBeUndefined();
    expect(bindingOf({ thread: null })).toBeUndefined();
  });
});

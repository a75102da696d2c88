import { describe, expect, it } from '@jest/globals';
import type { RelayError } from '../model/relay-error.js';
import { DIALECTS } from './registry.js';

const REFUSAL: RelayError = {
  kind: 'invalid-request',
  blame: 'caller',
  message: 'Say which model.',
  code: 'model_required',
};

describe('a refusal whose code is finer than its kind', () => {
  it.each(DIALECTS.filter(({ id }) => id === 'openai' || id === 'suno'))(
    'gives clients of $id that code',
    ({ writeError }) => {
      const body = JSON.parse(writeError(REFUSAL, 'call-1').body.toString()) as Readonly<
        Record<string, unknown>
      >;
      expect(body['error'] ?? body).toMatchObject({ code: 'model_required' });
    },
  );
});

import { describe, expect, it } from '@jest/globals';
import { codeOf } from '../../../test/support/code-of.js';
import { anActor } from '../../../test/support/people.js';
import { tokenRow } from '../../../test/support/stored-rows.js';
import type { LastCall, LastCalls } from '../../base/logs/last-calls.js';
import { TokenActivity } from './token-activity.service.js';
import type { TokenRow, TokensRepository } from './tokens.repository.js';

function activity(row: Partial<TokenRow>, call: LastCall | null = null) {
  const asked: unknown[] = [];
  const token = tokenRow({ id: 3, userId: 7, ...row });
  const service = new TokenActivity(
    {
      find: async (userId: number, id: number) => (userId === 7 && id === 3 ? token : null),
    } as unknown as TokensRepository,
    {
      ofToken: async (owner: unknown) => {
        asked.push(owner);
        return call;
      },
    } as unknown as LastCalls,
  );
  return { service, asked };
}

describe('TokenActivity', () => {
  it('answers the last charged call and the last refusal', async () => {
    const { service, asked } = activity(
      { refusedAtMs: 9_500, refusedKind: 'model-refused', refusedText: 'not this one' },
      { at: 12, model: 'gpt-4o', requestId: 'r-1' },
    );
    expect(await service.of(anActor(), 3)).toEqual({
      last_call: { at: 12, model: 'gpt-4o', request_id: 'r-1' },
      last_refusal: { at: 9, kind: 'model-refused', message: 'not this one' },
    });
    // The owner is part of the question, as everywhere.
    expect(asked).toEqual([{ userId: 7, tokenId: 3 }]);
  });

  it('takes the moment of a call from the token where the log has no line of it', async () => {
    const used = activity({ createdTime: 5, accessedTime: 8 });
    expect((await used.service.of(anActor(), 3)).last_call).toEqual({ at: 8, model: '', request_id: '' });
    const fresh = activity({ createdTime: 5, accessedTime: 5 });
    expect(await fresh.service.of(anActor(), 3)).toEqual({ last_call: null, last_refusal: null });
  });

  it('finds no token of another account', async () => {
    const { service, asked } = activity({});
    expect(await codeOf(service.of(anActor({ id: 8 }), 3))).toBe('not_found');
    expect(asked).toEqual([]);
  });
});

import { describe, expect, it } from '@jest/globals';
import { actorAndTarget } from './actor-and-target.js';

describe('aboutUser', () => {
  it('names the account that is acted on, which is the own one when no other is given', () => {
    const actor = { id: 7, role: 10 };
    const acts = { actorId: 7, actorRole: 10, targetType: 'user' };
    expect(actorAndTarget(actor)).toEqual({ ...acts, targetId: 7 });
    expect(actorAndTarget(actor, 9)).toEqual({ ...acts, targetId: 9 });
  });
});

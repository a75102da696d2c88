import { describe, expect, it } from '@jest/globals';
import { aboutUser } from './about-user.js';

describe('aboutUser', () => {
  it('names the account that is acted on, which is the own one when no other is given', () => {
    const actor = { id: 7, role: 10 };
    const acts = { actorId: 7, actorRole: 10, targetType: 'user' };
    expect(aboutUser(actor)).toEqual({ ...acts, targetId: 7 });
    expect(aboutUser(actor, 9)).toEqual({ ...acts, targetId: 9 });
  });
});

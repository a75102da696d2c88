import { describe, expect, it } from '@jest/globals';
import { refusalFor, type UserAction } from './may-act-on.js';

type Row = readonly [
  actor: 'user' | 'admin' | 'root',
  target: 'self' | 'user' | 'admin' | 'root',
  allowed: readonly UserAction[],
];

const ACTIONS: readonly UserAction[] = [
  'read',
  'edit',
  'disable',
  'enable',
  'delete',
  'promote',
  'demote',
  'add_quota',
];
const ROLES = { user: 1, admin: 10, root: 100 };

/** The whole rule: what is not listed is refused. */
const ALLOWED: readonly Row[] = [
  ['user', 'self', []],
  ['user', 'user', []],
  ['user', 'admin', []],
  ['user', 'root', []],
  ['admin', 'self', ['read', 'edit']],
  ['admin', 'user', ['read', 'edit', 'disable', 'enable', 'delete', 'add_quota']],
  ['admin', 'admin', []],
  ['admin', 'root', []],
  ['root', 'self', ['read', 'edit', 'enable', 'add_quota']],
  ['root', 'user', ['read', 'edit', 'disable', 'enable', 'delete', 'promote', 'add_quota']],
  ['root', 'admin', ['read', 'edit', 'disable', 'enable', 'delete', 'demote', 'add_quota']],
  ['root', 'root', ['read', 'edit', 'enable', 'add_quota']],
];

const matrix = ALLOWED.flatMap(([actor, target, allowed]) =>
  ACTIONS.map((action) => ({ actor, target, action, isAllowed: allowed.includes(action) })),
);

describe('who may act on whom [ADM-01]', () => {
  it('decides for every actor, target and action', () => {
    expect(matrix).toHaveLength(3 * 4 * ACTIONS.length);
  });

  it.each(matrix)(
    '$actor → $target: $action is allowed: $isAllowed',
    ({ actor, target, action, isAllowed }) => {
      const actorParty = { id: 1, role: ROLES[actor] };
      const targetParty = target === 'self' ? actorParty : { id: 2, role: ROLES[target] };
      expect(refusalFor(action, actorParty, targetParty) === null).toBe(isAllowed);
    },
  );

  it.each([
    ['edit', 10, 10, 'user_out_of_reach'],
    ['disable', 100, 100, 'user_root_protected'],
    ['demote', 100, 100, 'user_root_protected'],
    ['delete', 100, 100, 'user_root_protected'],
    ['promote', 10, 1, 'user_promote_by_root_only'],
    ['promote', 100, 10, 'user_already_admin'],
    ['demote', 100, 1, 'user_already_ordinary'],
    ['read', 1, 1, 'not_permitted'],
  ] as const)('returns the reason: %s by %i on %i → %s', (action, actor, target, code) => {
    expect(refusalFor(action, { id: 1, role: actor }, { id: 2, role: target })).toBe(code);
  });
});

import { describe, expect, it } from '@jest/globals';
import { userRow } from '../../../test/support/stored-rows.js';
import { presentLogin, presentUser } from './present-user.js';

const SETTING = { webhook_url: 'https://hook.example', webhook_secret: 's3cret', notify_type: 'webhook' };
const USER = userRow({
  id: 7,
  username: 'alice',
  password: '$argon2id$hash',
  displayName: 'Alice',
  email: 'alice@example.org',
  oidcId: 'oidc-1',
  quota: 1,
  usedQuota: 40,
  refundedQuota: 15,
  requestCount: 4,
  setting: JSON.stringify(SETTING),
  createdAt: 10,
  lastLoginAt: 20,
});

describe('presentUser', () => {
  it('shows the balance it is given instead of the column, which leaves reservations out', () => {
    expect(presentUser(USER, 500, 'owner')).toMatchObject({
      id: 7,
      quota: 500,
      used_quota: 40,
      github_id: '',
      oidc_id: 'oidc-1',
      aff_code: '',
      DeletedAt: null,
    });
  });

  it.each(['owner', 'administrator'] as const)(
    'shows %s neither the hash of the password nor the webhook secret',
    (viewer) => {
      const shown = JSON.stringify(presentUser(USER, 0, viewer));
      expect(shown).not.toContain('argon2id');
      expect(shown).not.toContain('s3cret');
    },
  );

  it('shows the address of the webhook to its owner only', () => {
    expect(presentUser(USER, 0, 'owner').setting).toContain('hook.example');
    expect(presentUser(USER, 0, 'administrator').setting).not.toContain('hook.example');
  });

  it('shows when an account was deregistered', () => {
    expect(presentUser({ ...USER, deletedAtMs: 0 }, 0, 'owner').DeletedAt).toBe('1970-01-01T00:00:00.000Z');
  });
});

describe('presentLogin', () => {
  it('has the members of an account, and only identifies it', () => {
    const shown = presentLogin(USER);
    expect(Object.keys(shown).toSorted()).toEqual(Object.keys(presentUser(USER, 0, 'owner')).toSorted());
    expect(shown).toMatchObject({
      id: 7,
      username: 'alice',
      display_name: 'Alice',
      email: '',
      quota: 0,
      used_quota: 0,
      setting: '',
    });
  });
});

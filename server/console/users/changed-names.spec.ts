import { describe, expect, it } from '@jest/globals';
import { changedNames } from './changed-names.js';

const LONG = 'a-name-made-by-a-provider';
const STORED = { username: LONG, displayName: 'Ada' };

describe('changedNames', () => {
  it('names what differs, with the form names are compared by', () => {
    expect(changedNames(STORED, { username: 'Ada.L', displayName: 'Ada' }, 'owner')).toEqual({
      username: 'Ada.L',
      usernameFolded: 'ada.l',
    });
    expect(changedNames(STORED, { username: LONG, displayName: '' }, 'owner')).toEqual({ displayName: '' });
  });

  it('takes a stored name as it is, and checks a new one', () => {
    expect(changedNames(STORED, STORED, 'owner')).toEqual({});
    const renamed = { ...STORED, username: `${LONG}s` };
    expect(() => changedNames(STORED, renamed, 'owner')).toThrow(
      expect.objectContaining({ code: 'username_invalid' }),
    );
    expect(changedNames(STORED, renamed, 'administrator').username).toBe(`${LONG}s`);
    const shown = { ...STORED, displayName: 'x'.repeat(21) };
    expect(() => changedNames(STORED, shown, 'administrator')).toThrow(
      expect.objectContaining({ code: 'display_name_too_long' }),
    );
  });
});

import { describe, expect, it } from '@jest/globals';
import { changedColumns } from './changed-columns.js';

const BEFORE = {
  name: 'one',
  priority: 0,
  baseUrl: 'https://a.example',
  setting: '{"proxy":"x"}',
  key: 'sk-old',
  remark: 'a',
};
const changed = (change: object, isKeyNew = false) =>
  changedColumns(BEFORE, { ...BEFORE, ...change }, { isKeyNew });

describe('changedColumns', () => {
  it('tells old and new of what may be read by those who read the audit log', () => {
    expect(changed({ name: 'two', priority: 5, baseUrl: 'https://b.example' })).toEqual({
      name: { before: 'one', now: 'two' },
      priority: { before: 0, now: 5 },
      baseUrl: { before: 'https://a.example', now: 'https://b.example' },
    });
  });

  it('only names what may hold a key', () => {
    expect(changed({ setting: '{"proxy":"y"}', key: 'sk-new' }, true)).toEqual({
      setting: 'changed',
      key: 'changed',
    });
    expect(JSON.stringify(changed({ setting: '{"proxy":"y"}', key: 'sk-new' }, true))).not.toContain('sk-');
  });

  it('takes a name and a password out of an address', () => {
    expect(changed({ baseUrl: 'https://me:secret@b.example/v1' })).toEqual({
      baseUrl: { before: 'https://a.example', now: 'https://…@b.example/v1' },
    });
  });

  it('says nothing of what stayed, and null for what was not there', () => {
    expect(changed({})).toEqual({});
    expect(changed({ tag: 'eu' })).toEqual({ tag: { before: null, now: 'eu' } });
  });
});

import { describe, expect, it } from '@jest/globals';
import { channelRow } from '../../../../test/support/stored-rows.js';
import { changedColumns } from './changed-columns.js';

const BEFORE = channelRow({
  name: 'one',
  baseUrl: 'https://a.example',
  setting: '{"proxy":"x"}',
  key: 'sk-old',
  remark: 'a',
});
const changed = (change: Partial<typeof BEFORE>, isKeyNew = false) =>
  changedColumns(BEFORE, { ...BEFORE, ...change }, { isKeyNew });

describe('changedColumns', () => {
  it('records old and new values of columns that readers of the audit log may see', () => {
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

  it('names a new remark without its text', () => {
    expect(changed({ remark: 'password of the vendor: 1234' })).toEqual({ remark: 'changed' });
  });

  it('records a new status code mapping and a new organization', () => {
    expect(changed({ statusCodeMapping: '{"404":"500"}', openAiOrganization: 'org-2' })).toEqual({
      statusCodeMapping: { before: '', now: '{"404":"500"}' },
      openAiOrganization: { before: '', now: 'org-2' },
    });
  });

  it('takes a name and a password out of an address', () => {
    expect(changed({ baseUrl: 'https://me:secret@b.example/v1' })).toEqual({
      baseUrl: { before: 'https://a.example', now: 'https://…@b.example/v1' },
    });
  });

  it('leaves out unchanged columns', () => {
    expect(changed({})).toEqual({});
    expect(changed({ usedQuota: 5, testTime: 7 })).toEqual({});
  });
});

import { describe, expect, it } from '@jest/globals';
import { scanObject } from '../../framing/json-splice.js';
import type { Caller } from '../../model/call.js';
import { lacksEndUser, tagCaller, TAGGING_HEADERS } from './call-tags.js';
import { callerHeader } from './overrides/header-override.js';

const KEY: Caller = {
  userId: 7,
  username: 'ann',
  tokenId: 3,
  tokenName: 'laptop',
  tokenLimited: false,
  group: 'default',
  modelLimits: null,
  acceptsUnsetPrice: false,
  pinnedChannelId: null,
};

function bodyOf(document: object) {
  const scanned = scanObject(Buffer.from(JSON.stringify(document)));
  if (typeof scanned === 'string') throw new Error(scanned);
  return { document: scanned };
}

const tagged = (headers: Record<string, string | string[]>, document: object = {}, caller = KEY) =>
  tagCaller(caller, headers, bodyOf(document));
const tagsOf = (...input: Parameters<typeof tagged>) => tagged(...input).caller.tags;
const endUserOf = (...input: Parameters<typeof tagged>) => tagged(...input).caller.endUser;

const UUID = '0f8fad5b-d9cb-469f-a165-70867728950e';
const DEVICE = 'a'.repeat(64);

describe('tags of a call', () => {
  it('keeps the caller as it is when the call names nothing', () => {
    expect(tagged({}, { model: 'm' }).caller).toBe(KEY);
    expect(tagged({ 'x-tollgate-tags': ' , ' }, { user: null, metadata: null }).caller).toBe(KEY);
  });

  it('reads both headers and metadata.tags, a doubled name once', () => {
    const headers = { 'x-tollgate-tags': 'batch, night', 'x-litellm-tags': 'night,day' };
    expect(tagsOf(headers, { metadata: { tags: ['day', 'x, y', 5, null] } })).toEqual([
      'batch',
      'night',
      'day',
      'x',
      'y',
    ]);
    expect(tagsOf({}, { metadata: { tags: 'a,b' } })).toEqual(['a', 'b']);
  });

  it('puts the tags of the token first, and leaves out what does not fit', () => {
    const key = { ...KEY, tags: ['fixed'] };
    const sent = Array.from({ length: 20 }, (_, index) => `t${index}`).join(',');
    const { caller, warnings } = tagged({ 'x-tollgate-tags': sent }, {}, key);
    expect(caller.tags).toEqual(['fixed', 't0', 't1', 't2', 't3', 't4', 't5', 't6', 't7', 't8']);
    expect(warnings.map(({ setting }) => setting)).toEqual(['x-tollgate-tags']);
    expect(tagsOf({ 'x-tollgate-tags': '' }, {}, key)).toEqual(['fixed']);
  });

  it('cuts a long tag and names where it came from', () => {
    const { caller, warnings } = tagged({ 'x-litellm-tags': 'x'.repeat(1_000) });
    expect(caller.tags).toEqual(['x'.repeat(64)]);
    expect(warnings).toEqual([{ setting: 'x-litellm-tags', reason: 'longer than 64 characters: cut' }]);
  });

  it('reads UTF-8 in a header, and other bytes as Latin-1', () => {
    const latin = (text: string): string => Buffer.from(text).toString('latin1');
    expect(tagsOf({ 'x-tollgate-tags': latin('团队,😀') })).toEqual(['团队', '😀']);
    expect(tagsOf({ 'x-tollgate-tags': 'caf\u00e9\u00ff' })).toEqual(['café\u00ff']);
  });

  it('reads no more of a large metadata than its bound', () => {
    expect(tagsOf({}, { metadata: { tags: ['a'], pad: 'x'.repeat(70_000) } })).toBeUndefined();
  });

  it('never passes its headers on', () => {
    for (const name of TAGGING_HEADERS) expect(callerHeader({ [name]: 'a' }, name)).toBeUndefined();
  });
});

describe('the end user of a call', () => {
  it('takes the first place that names one', () => {
    const headers = { 'x-tollgate-end-user': 'h1', 'x-litellm-end-user-id': 'h2' };
    const body = { user: 'u', safety_identifier: 's', metadata: { user_id: 'm' } };
    expect(endUserOf(headers, body)).toBe('h1');
    expect(endUserOf({ ...headers, 'x-tollgate-end-user': ' ' }, body)).toBe('h2');
    expect(endUserOf({}, body)).toBe('u');
    expect(endUserOf({}, { ...body, user: '' })).toBe('s');
    expect(endUserOf({}, { metadata: body.metadata })).toBe('m');
    expect(endUserOf({}, { user: 17 })).toBe('17');
    expect(endUserOf({}, { user: { id: 1 } })).toBeUndefined();
  });

  it.each([
    ['account of the text form', `user_${DEVICE}_account_${UUID}_session_${UUID}`, UUID],
    ['device of the text form without an account', `user_${DEVICE}_account__session_${UUID}`, DEVICE],
    [
      'account of the JSON form',
      JSON.stringify({ device_id: DEVICE, account_uuid: UUID, session_id: 's' }),
      UUID,
    ],
    [
      'device of the JSON form without an account',
      JSON.stringify({ device_id: DEVICE, account_uuid: '', session_id: 's' }),
      DEVICE,
    ],
    ['nothing where only the session is named', JSON.stringify({ session_id: 's' }), undefined],
    ['the whole of other JSON', '{"a":1}', '{"a":1}'],
    ['the whole of a text that is no JSON', '{"a":', '{"a":'],
  ])('reads from metadata.user_id the %s', (_what, userId, expected) => {
    expect(endUserOf({}, { metadata: { user_id: userId } })).toBe(expected);
  });

  it('counts a header that was sent twice with one value as one', () => {
    expect(endUserOf({ 'x-tollgate-end-user': 'ann, ann' })).toBe('ann');
    expect(endUserOf({ 'x-tollgate-end-user': ['ann', 'ann'] })).toBe('ann');
    expect(endUserOf({ 'x-tollgate-end-user': 'Doe, Jane' })).toBe('Doe, Jane');
  });

  it('lacks one only where the token needs it', () => {
    expect(lacksEndUser(KEY)).toBe(false);
    expect(lacksEndUser({ ...KEY, needsEndUser: true })).toBe(true);
    expect(lacksEndUser({ ...KEY, needsEndUser: true, endUser: 'ann' })).toBe(false);
  });
});

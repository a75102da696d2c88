import { describe, expect, it } from '@jest/globals';
import { faultOfHeaderOverride, overrideHeaders } from './header-override.js';

const CALLER = {
  'user-agent': 'agent/1',
  'x-trace': 't1',
  authorization: 'Bearer sk-caller',
  'x-api-key': 'sk-caller',
  cookie: 'session=1',
  'x-forwarded-for': '10.0.0.1',
  'content-length': '5',
};
const lay = (override: Record<string, string>) =>
  overrideHeaders({ authorization: 'Bearer up', accept: 'application/json' }, override, {
    credential: 'up',
    callerHeaders: CALLER,
  });

describe('header override', () => {
  it('writes values, the key of the channel and headers of the caller into them', () => {
    expect(
      lay({
        'X-Key': 'k={api_key}',
        'X-Trace': '{client_header:X-Trace}/1',
        Authorization: 'Token {api_key}',
      }),
    ).toEqual({ accept: 'application/json', authorization: 'Token up', 'x-key': 'k=up', 'x-trace': 't1/1' });
  });

  it('leaves a header out whose caller header is absent or a credential [RLY-02]', () => {
    const after = lay({
      a: '{client_header:nothing}',
      b: '{client_header:authorization}',
      c: '{client_header:cookie}',
    });
    expect(after).toEqual({ accept: 'application/json', authorization: 'Bearer up' });
  });

  it('passes callers headers by star or pattern, but never credentials, framing or the way here', () => {
    expect(lay({ '*': '' })).toEqual({
      accept: 'application/json',
      authorization: 'Bearer up',
      'user-agent': 'agent/1',
      'x-trace': 't1',
    });
    expect(lay({ 're:^x-': '' })).toMatchObject({ 'x-trace': 't1' });
    expect(lay({ 're:^x-': '' })).not.toHaveProperty('user-agent');
  });

  it('names the key of a document that is not allowed [RLY-02]', () => {
    for (const name of [
      'Host',
      'content-length',
      'Transfer-Encoding',
      'X-Forwarded-For',
      'proxy-x',
      'a b',
      're:(a+)+',
    ])
      expect(faultOfHeaderOverride({ ok: '1', [name]: 'x' })).toBe(name);
    expect(faultOfHeaderOverride({ 'x-a': 'line\nbreak' })).toBe('x-a');
    expect(faultOfHeaderOverride({ 'x-a': 5 })).toBe('x-a');
    expect(faultOfHeaderOverride({ 'x-a': '{api_key}', '*': '', 'regex:^x-': '' })).toBeUndefined();
  });
});

import { describe, expect, it } from '@jest/globals';
import { refusalOf } from './refusal';

const answer = (body: string, status = 200, headers: Record<string, string> = {}) =>
  refusalOf(new Response(body, { status, headers }));

describe('refusalOf', () => {
  it('takes nothing but success for success', async () => {
    expect(await answer('{"success":true,"data":1}')).toBeUndefined();
    expect(await answer('{"success":true}', 201)).toBeUndefined();
  });

  it.each([
    ['an error page', '<html>', 502],
    ['an empty answer', '', 200],
    ['another program’s answer', '{"ok":true}', 200],
    ['null', 'null', 200],
    ['a success that is no truth value', '{"success":1}', 200],
    ['a message that is no text', '{"success":true,"message":{}}', 200],
  ])('refuses %s, without words of its own', async (_what, body, status) => {
    expect(await answer(body, status)).toMatchObject({ status, message: '', code: undefined });
  });

  it('keeps status, words, code and figures of a refusal', async () => {
    const body = '{"success":false,"message":"no","code":"not_permitted","rest":3}';
    expect(await answer(body, 403)).toMatchObject({ status: 403, message: 'no', code: 'not_permitted' });
    expect(await answer('{"success":true}', 500)).toMatchObject({ status: 500 });
  });

  it.each([
    ['30', 30],
    ['0', 0],
    ['-1', undefined],
    ['1.5', undefined],
    ['9999999', undefined],
    ['Wed, 21 Oct 2026 07:28:00 GMT', undefined],
  ])('reads Retry-After %j as %p seconds', async (header, seconds) => {
    const refused = await answer('{"success":false}', 429, { 'retry-after': header });
    expect(refused?.retryAfterSeconds).toBe(seconds);
  });
});

import { describe, expect, it } from '@jest/globals';
import { refusal } from '../../../model/refusals.js';
import { replyDocument } from './reply-document.js';

const MALFORMED = refusal('other-kind', { wanted: 'a chat reply' });
const read = (text: string) =>
  replyDocument(Buffer.from(text), MALFORMED, ({ choices }) => Array.isArray(choices));

describe('replyDocument', () => {
  it('gives the document, and keeps the digits of long numbers', () => {
    const found = read('{"choices":[],"id":12345678901234567890}');
    expect(found.ok && JSON.stringify(found.value)).toBe('{"choices":[],"id":12345678901234567890}');
  });

  it('rounds long numbers where it is set to read like ordinary parsers', () => {
    const found = replyDocument(
      Buffer.from('{"id":12345678901234567890}'),
      MALFORMED,
      () => true,
      JSON.parse,
    );
    expect(found).toEqual({ ok: true, value: { id: 12345678901234567000 } });
  });

  it.each(['', '<html>', '[]', 'null', '{"choices":{}}', '{}'])('refuses %j as malformed', (text) => {
    expect(read(text)).toMatchObject({
      ok: false,
      error: MALFORMED,
    });
  });

  it('keeps why a text could not be read for the log of the operator', () => {
    const found = read('{');
    expect(!found.ok && found.error.cause).toBeInstanceOf(SyntaxError);
  });
});

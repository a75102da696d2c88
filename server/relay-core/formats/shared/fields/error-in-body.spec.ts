import { describe, expect, it } from '@jest/globals';
import { errorInBody } from './error-in-body.js';

const said = (document: unknown) => errorInBody(Buffer.from(JSON.stringify(document)));

describe('errorInBody', () => {
  it.each([
    { message: 'out of quota' },
    { detail: 'not found' },
    { detail: [{ loc: ['body'], msg: 'field required' }] },
    { errors: [{ message: 'bad' }] },
    { error_msg: 'busy', error_code: 4 },
  ])('finds %j to be a failure', (document) => {
    expect(said(document)).toEqual(document);
  });

  it.each([{}, { message: '' }, { message: 7 }, { detail: [] }, { choices: [] }, [], 'message', null])(
    'finds nothing said in %j',
    (document) => {
      expect(said(document)).toBeUndefined();
    },
  );

  it('does not read what is no JSON, or longer than any refusal', () => {
    expect(errorInBody(Buffer.from('<html>'))).toBeUndefined();
    expect(said({ message: 'x'.repeat(70_000) })).toBeUndefined();
  });
});

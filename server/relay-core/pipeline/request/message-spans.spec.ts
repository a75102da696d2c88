import { describe, expect, it } from '@jest/globals';
import { endOfFirstMessage, messageSpans } from './message-spans.js';

const at = (text: string) => ({ bytes: Buffer.from(text), span: { start: 0, end: Buffer.byteLength(text) } });

describe('messageSpans', () => {
  it('finds each message with its role, at any place among its members', () => {
    const { bytes, span } = at(
      '[ {"role":"system","content":"ä"}, {"content":[{"role":"x"}],"role":"user"},{} ]',
    );
    expect(
      messageSpans(bytes, span).map(({ start, end, role }) => [bytes.toString('utf8', start, end), role]),
    ).toEqual([
      ['{"role":"system","content":"ä"}', 'system'],
      ['{"content":[{"role":"x"}],"role":"user"}', 'user'],
      ['{}', ''],
    ]);
  });

  it.each(['"text"', '[1]', '{"role":"user"}', '[]'])('finds none in %s', (text) => {
    const { bytes, span } = at(text);
    expect(messageSpans(bytes, span)).toEqual([]);
  });

  it('finds the end of the first message', () => {
    const { bytes, span } = at('[{"a":1},{"b":2}]');
    expect(endOfFirstMessage(bytes, span)).toBe(8);
    const empty = at('[]');
    expect(endOfFirstMessage(empty.bytes, empty.span)).toBe(2);
  });
});

import { describe, expect, it } from '@jest/globals';
import { fillChatLink, isWebLink, readChatLinks } from './chat-links';

describe('chat links', () => {
  it('reads links in their order, or not at all', () => {
    expect(readChatLinks([{ One: 'https://one.example' }, { Two: 'ama://two' }])).toEqual([
      { name: 'One', template: 'https://one.example' },
      { name: 'Two', template: 'ama://two' },
    ]);
    expect(readChatLinks([])).toEqual([]);
    for (const broken of ['text', null, [1], [{}], [{ a: 'x', b: 'y' }], [{ a: 5 }]])
      expect(readChatLinks(broken)).toBe('broken');
  });

  it('takes the address encoded and the key as it is, wherever they stand', () => {
    const link = { name: 'x', template: 'https://c.example/#/?s={"key":"{key}","url":"{address}"}&k={key}' };
    expect(fillChatLink(link, { address: 'https://gate.example:8443', key: "sk-$&a$'b" })).toBe(
      'https://c.example/#/?s={"key":"sk-$&a$\'b","url":"https%3A%2F%2Fgate.example%3A8443"}&k=sk-$&a$\'b',
    );
  });

  it.each([
    ['https://c.example', true],
    ['HTTP://c.example', true],
    ['ama://set-api-key', false],
    ['javascript:alert(1)', false],
  ])('%s is a page of the web: %s', (template, expected) => {
    expect(isWebLink({ name: 'x', template })).toBe(expected);
  });
});

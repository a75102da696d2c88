import { describe, expect, it } from '@jest/globals';
import { MESSAGE, ANSWER, RESPONSE, sentTo } from '../../../../test/support/sent-to.js';
import { list, object, type Json } from '../../../../test/support/strict-vendors/story.js';

const PDF = Buffer.from('%PDF-1.4 x').toString('base64');
const SOURCES: Readonly<Record<string, Json>> = {
  'a file': { type: 'base64', media_type: 'application/pdf', data: PDF },
  'an address': { type: 'url', url: 'https://a.example/b.pdf' },
  text: { type: 'text', media_type: 'text/plain', data: 'DATA' },
  parts: { type: 'content', content: [{ type: 'text', text: 'DATA' }] },
};
const asking = (source: Json): Json => ({
  messages: [
    {
      role: 'user',
      content: [
        { type: 'document', source, title: 'T.pdf', context: 'CONTEXT' },
        { type: 'text', text: 'q' },
      ],
    },
  ],
});

describe('the context of a document', () => {
  it.each(Object.entries(SOURCES))(
    'becomes text for a chat, before the document: %s',
    async (_name, source) => {
      const { body, text, warnings } = await sentTo(1, 'messages', asking(source), {
        answer: ANSWER,
        files: { 'https://a.example/b.pdf': PDF },
      });
      const [turn] = list(body['messages']).map(object);
      expect(text.match(/CONTEXT/g)).toHaveLength(1);
      expect(JSON.stringify(list(turn?.['content'])[0])).toContain('CONTEXT');
      expect(warnings).not.toContain('context');
    },
  );

  it('becomes text for Responses', async () => {
    const route = { baseUrl: 'https://vendor.example/v1/responses', answer: RESPONSE };
    const { text, warnings } = await sentTo(8, 'messages', asking(SOURCES['a file'] ?? {}), route);
    expect(text.match(/CONTEXT/g)).toHaveLength(1);
    expect(warnings).not.toContain('context');
  });

  it.each(Object.entries(SOURCES))(
    'stays a member for Claude, also where the request is written anew: %s',
    async (_name, source) => {
      const answer = MESSAGE;
      const passed = await sentTo(14, 'messages', asking(source), { answer });
      // The ending asks for thoughts, so the request is written anew.
      const upstreamModel = 'claude-sonnet-4-5-thinking';
      const written = await sentTo(
        14,
        'messages',
        { ...asking(source), max_tokens: 4_000 },
        { answer, upstreamModel },
      );
      for (const { body, text } of [passed, written]) {
        const [turn] = list(body['messages']).map(object);
        const [document, ...rest] = list(turn?.['content']).map(object);
        expect(document).toMatchObject({ type: 'document', context: 'CONTEXT', title: 'T.pdf' });
        expect(rest).toMatchObject([{ type: 'text', text: 'q' }]);
        expect(text.match(/CONTEXT/g)).toHaveLength(1);
      }
    },
  );
});

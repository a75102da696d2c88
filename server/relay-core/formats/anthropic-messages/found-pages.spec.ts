import { describe, expect, it } from '@jest/globals';
import { oneCall } from '../../../../test/support/one-answer.js';
import { list, object, type Json } from '../../../../test/support/strict-vendors/story.js';

const RESULT: Json = {
  type: 'web_search_tool_result',
  tool_use_id: 'srvtoolu_1',
  content: [
    {
      type: 'web_search_result',
      url: 'https://a.example',
      title: 'A',
      encrypted_content: 'E',
      page_age: null,
    },
    {
      type: 'web_search_result',
      url: 'https://b.example',
      title: 'B',
      encrypted_content: 'E',
      page_age: null,
    },
    { type: 'web_search_result', url: 'https://a.example', title: 'A again', encrypted_content: 'E' },
  ],
};
const SEARCH: Json = { type: 'server_tool_use', id: 'srvtoolu_1', name: 'web_search', input: { query: 'q' } };
const CITATION: Json = {
  type: 'web_search_result_location',
  url: 'https://b.example',
  title: 'B',
  encrypted_index: 'I',
  cited_text: 'c',
};
const text = (words: string): Json => ({ type: 'text', text: words });

const whole = (content: readonly Json[]): Json => ({
  id: 'msg_1',
  type: 'message',
  role: 'assistant',
  model: 'm',
  content,
  stop_reason: 'end_turn',
  stop_sequence: null,
  usage: { input_tokens: 3, output_tokens: 5 },
});

const streamed = (content: readonly Json[]): readonly Json[] => [
  { type: 'message_start', message: { ...whole([]), stop_reason: null } },
  ...content.flatMap((block, index): readonly Json[] => {
    const { text: words, citations, ...start } = block;
    const delta = (one: Json): Json => ({ type: 'content_block_delta', index, delta: one });
    return [
      {
        type: 'content_block_start',
        index,
        content_block: words === undefined ? block : { ...start, text: '' },
      },
      ...(words === undefined ? [] : [delta({ type: 'text_delta', text: words })]),
      ...list(citations).map((citation) => delta({ type: 'citations_delta', citation })),
      { type: 'content_block_stop', index },
    ];
  }),
  {
    type: 'message_delta',
    delta: { stop_reason: 'end_turn', stop_sequence: null },
    usage: { output_tokens: 5 },
  },
  { type: 'message_stop' },
];

/** Addresses in an answer, wherever its API puts them, each once. */
const addressesIn = (value: unknown): readonly string[] => [
  ...new Set([...JSON.stringify(value).matchAll(/https:\/\/([ab])\.example/g)].map(([, name]) => name ?? '')),
];

const CASES: Readonly<Record<string, readonly [content: readonly Json[], pages: readonly string[]]>> = {
  'pages that no text cites': [
    [SEARCH, RESULT, text('Hi')],
    ['a', 'b'],
  ],
  'a text before the search': [
    [text('Let me see.'), SEARCH, RESULT, text('Hi')],
    ['a', 'b'],
  ],
  'a page that a text cites': [[SEARCH, RESULT, { ...text('Hi'), citations: [CITATION] }, text('!')], ['b']],
  'a search that failed': [
    [
      SEARCH,
      { ...RESULT, content: { type: 'web_search_tool_result_error', error_code: 'unavailable' } },
      text('Hi'),
    ],
    [],
  ],
  'no text behind the search': [[text('Let me see.'), SEARCH, RESULT], []],
};

describe('pages that Claude’s own search found, for callers of other APIs', () => {
  it.each(
    Object.entries(CASES).flatMap(([name, [content, pages]]) =>
      ['chat', 'responses', 'gemini'].flatMap((api) =>
        [false, true].map((isStreamed) => [name, api, isStreamed, content, pages] as const),
      ),
    ),
  )('%s: %s (streamed: %s)', async (_name, api, isStreamed, content, pages) => {
    const answer = isStreamed ? streamed(content) : whole(content);
    const { body, events } = await oneCall({ api, over: 'messages', answer });
    expect(addressesIn(isStreamed ? events : body)).toEqual(pages);
  });

  it.each([false, true])(
    'keep their own block alone for callers of Messages (streamed: %s)',
    async (isStreamed) => {
      const content = [SEARCH, RESULT, text('Hi')];
      const answer = isStreamed ? streamed(content) : whole(content);
      const over = { channelType: 14, settings: { thinkingToContent: true } };
      const { body, events } = await oneCall({ api: 'messages', over, answer });
      const written = JSON.stringify(isStreamed ? events : object(body)['content']);
      expect(written.match(/a\.example/g)).toHaveLength(2);
      expect(written).not.toMatch(/citations_delta|_location/);
    },
  );
});

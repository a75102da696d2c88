import { describe, expect, it } from '@jest/globals';
import type { ChatRequest, Message } from '../../../model/chat.js';
import { withMarkedPrefixes } from './mark-prefixes.js';

type Role = Exclude<Message['role'], 'tool'>;
const say = (role: Role, ...texts: string[]): Message => ({
  role,
  content: texts.map((text) => ({ type: 'text', text })),
});
const result = (callId: string): Message => ({
  role: 'tool',
  callId,
  content: [{ type: 'text', text: 'r' }],
});
const asks = (messages: readonly Message[], more: Partial<ChatRequest> = {}): ChatRequest => ({
  messages,
  choices: 1,
  stream: false,
  wantsStreamUsage: false,
  ...more,
});
const TURNS = [
  say('system', 'be brief'),
  say('user', 'q1'),
  say('assistant', 'a1'),
  say('user', 'q2'),
  say('assistant', 'a2'),
  say('user', 'q3'),
];
const MARK = { ttl: undefined };
const TOOLS = ['f', 'g'].map((name) => ({ type: 'function', name }) as const);

/** Places of the marks: `message.part`, `message` for results of tools, names of tools. */
function marksIn({ messages, tools = [] }: ChatRequest): readonly string[] {
  return [
    ...tools.flatMap((tool) => (tool.type === 'function' && tool.cache !== undefined ? [tool.name] : [])),
    ...messages.flatMap((message, at) => [
      ...message.content.flatMap((part, place) =>
        part.type !== 'vendor' && part.cache !== undefined ? [`${at}.${place}`] : [],
      ),
      ...(message.role === 'tool' && message.cache !== undefined ? [`${at}`] : []),
    ]),
  ];
}

describe('withMarkedPrefixes', () => {
  it('marks the end of the instructions and the last two turns of the user, for five minutes', () => {
    const marked = withMarkedPrefixes(asks(TURNS, { tools: TOOLS }));
    expect(marksIn(marked)).toEqual(['0.0', '3.0', '5.0']);
    expect(marked.messages[5]).toEqual({
      role: 'user',
      content: [{ type: 'text', text: 'q3', cache: MARK }],
    });
  });

  it('marks the last tool where there are no instructions', () => {
    expect(marksIn(withMarkedPrefixes(asks(TURNS.slice(1), { tools: TOOLS })))).toEqual(['g', '2.0', '4.0']);
    expect(marksIn(withMarkedPrefixes(asks(TURNS.slice(1))))).toEqual(['2.0', '4.0']);
  });

  it('marks nothing before the assistant has answered once', () => {
    const first = asks([say('system', 'be brief'), say('user', 'q1'), say('user', 'q2')], { tools: TOOLS });
    expect(withMarkedPrefixes(first)).toBe(first);
  });

  it('counts results of tools, and what the user writes behind them, as one turn', () => {
    const messages = [
      say('user', 'q1'),
      say('assistant', 'a1'),
      result('c1'),
      result('c2'),
      say('assistant', 'a2'),
      result('c3'),
      say('developer', 'rule'),
      say('user', 'q2', ' '),
    ];
    expect(marksIn(withMarkedPrefixes(asks(messages)))).toEqual(['3', '6.0', '7.0']);
  });

  it('passes over texts of white space, which leave the request', () => {
    const messages = [
      say('system', 'rule', '\n'),
      say('user', 'q1'),
      say('assistant', 'a1'),
      say('user', ' '),
    ];
    expect(marksIn(withMarkedPrefixes(asks(messages)))).toEqual(['0.0', '1.0']);
  });

  it.each<[string, ChatRequest]>([
    ['on a tool', asks(TURNS, { tools: [{ type: 'function', name: 'f', cache: MARK }] })],
    [
      'on a part',
      asks([{ role: 'user', content: [{ type: 'text', text: 'q0', cache: MARK }] }, ...TURNS.slice(1)]),
    ],
    [
      'at the top',
      asks(TURNS, { vendorOptions: { 'openai-chat': { cache_control: { type: 'ephemeral' } } } }),
    ],
  ])('leaves a request with a mark of its own alone: %s', (_, request) => {
    expect(withMarkedPrefixes(request)).toBe(request);
  });
});

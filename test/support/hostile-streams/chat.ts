import { type HostileStream, logprob, MANY, packed, sse, times } from './shared.js';

const delta = (inside: object, index = 0) => ({ id: 'c', choices: [{ index, delta: inside }] });
const stop = { id: 'c', choices: [{ index: 0, delta: {}, finish_reason: 'stop' }] };
const chat = (name: string, events: readonly unknown[]): HostileStream => ({
  name,
  format: 'chat',
  body: sse([...events, stop, '[DONE]']),
});
const call = (index: number) => ({
  index,
  id: `c${index}`,
  type: 'function',
  function: { name: 'f', arguments: '' },
});
const citation = (index: number) => ({
  type: 'url_citation',
  url_citation: { url: `https://a.example/${index}`, title: 't', start_index: 0, end_index: 1 },
});

export const CHAT = (): readonly HostileStream[] => [
  chat(
    'tiny calls, an event each',
    times(MANY, (index) => delta({ tool_calls: [call(index)] })),
  ),
  chat(
    'tiny calls of one index',
    times(MANY, (index) => delta({ tool_calls: [{ ...call(index), index: 0 }] })),
  ),
  chat(
    'tiny calls without index or id',
    times(MANY, () => delta({ tool_calls: [{ function: { name: 'f' } }] })),
  ),
  chat('tiny calls in one event', [delta({ tool_calls: packed(call) })]),
  chat('tiny calls without index in one event', [
    delta({ tool_calls: packed(() => ({ function: { name: 'f' } })) }),
  ]),
  chat(
    'tiny calls in pairs',
    times(MANY / 2, (index) => delta({ tool_calls: [call(2 * index), call(2 * index + 1)] })),
  ),
  chat('tiny calls without arguments that all end', [
    ...times(MANY, (index) => delta({ tool_calls: [{ index, id: `c${index}`, function: { name: 'f' } }] })),
    ...times(50, () => ({ id: 'c', choices: [{ index: 0, delta: {}, finish_reason: 'tool_calls' }] })),
  ]),
  chat('pieces of many calls in turn', [
    ...times(2_000, (index) => delta({ tool_calls: [call(index)] })),
    ...times(MANY, (index) =>
      delta({ tool_calls: [{ index: index % 2_000, function: { arguments: '1' } }] }),
    ),
  ]),
  chat(
    'choices of any index',
    times(MANY, (index) => delta({ content: 'a' }, index)),
  ),
  chat(
    'choices of any index with calls',
    times(MANY, (index) => delta({ tool_calls: [call(index)] }, index)),
  ),
  chat(
    'choices of any index that end',
    times(MANY, (index) => ({
      id: 'c',
      choices: [{ index, delta: { content: 'a' }, finish_reason: 'stop' }],
    })),
  ),
  chat(
    '128 choices an event',
    times(1_000, () => ({ id: 'c', choices: times(128, (index) => ({ index, delta: { content: 'a' } })) })),
  ),
  chat(
    'citations, an event each',
    times(MANY, (index) => delta({ content: 'a', annotations: [citation(index)] })),
  ),
  chat('citations in one event', [delta({ content: 'a', annotations: packed(citation) })]),
  chat(
    'citations by address',
    times(20, () => ({
      ...delta({ content: 'a' }),
      citations: times(2_000, (index) => `https://a.example/${index}`),
    })),
  ),
  chat(
    'citations by address, growing',
    times(1_000, (at) => ({
      ...delta({ content: 'a' }),
      citations: times(at, (index) => `https://a.example/${index}`),
    })),
  ),
  chat('log probabilities in one event', [
    {
      id: 'c',
      choices: [{ index: 0, delta: { content: 'a' }, logprobs: { content: packed(() => logprob) } }],
    },
  ]),
  chat(
    'log probabilities, an event each',
    times(MANY, () => ({
      id: 'c',
      choices: [{ index: 0, delta: { content: 'a' }, logprobs: { content: [logprob] } }],
    })),
  ),
  chat(
    'reasoning and text in turn',
    times(MANY, (index) => delta(index % 2 === 0 ? { content: 'a' } : { reasoning_content: 'b' })),
  ),
  chat(
    'reasoning details',
    times(MANY, (index) => delta({ reasoning_details: [{ type: 'reasoning.text', text: 'a', index }] })),
  ),
  chat('reasoning details in one event', [
    delta({ reasoning_details: packed((index) => ({ type: 'reasoning.text', text: 'a', index })) }),
  ]),
  chat('parts in one event', [delta({ content: packed(() => ({ type: 'text', text: 'a' })) })]),
  chat('images in one event', [
    delta({ images: packed(() => ({ type: 'image_url', image_url: { url: 'data:,x' } })) }),
  ]),
  chat('unknown members in one event', [
    delta(Object.fromEntries(packed((index) => `member ${index}`).map((name) => [name, 'a']))),
  ]),
  chat('text in the form of escapes', [delta({ content: '\u0001'.repeat(600_000) })]),
  chat(
    'text without a blank',
    times(60, () => delta({ content: 'a'.repeat(60_000) })),
  ),
  chat(
    'tiny texts',
    times(MANY, () => delta({ content: 'a' })),
  ),
  chat(
    'tiny texts of two kinds',
    times(MANY, (index) => delta({ content: index % 2 === 0 ? 'a' : '\n' })),
  ),
  chat(
    'reports in every event',
    times(MANY, (index) => ({
      ...delta({ content: 'a' }),
      usage: { prompt_tokens: 5, completion_tokens: index },
    })),
  ),
  chat(
    'arguments as objects',
    times(MANY, (index) =>
      delta({ tool_calls: [{ ...call(index), function: { name: 'f', arguments: { a: 1 } } }] }),
    ),
  ),
  chat('arguments that grow', [
    delta({ tool_calls: [call(0)] }),
    ...times(MANY, () => delta({ tool_calls: [{ index: 0, function: { arguments: '1' } }] })),
  ]),
  chat('deep arguments', [
    delta({ tool_calls: [{ ...call(0), function: { name: 'f', arguments: '['.repeat(2_000_000) } }] }),
  ]),
  chat('comments', [...times(300_000, () => ''), delta({ content: 'a' })]),
];

import { type HostileStream, logprob, MANY, named, packed, sse, times } from './shared.js';

const block = (index: number, content_block: object) => ({
  type: 'content_block_start',
  index,
  content_block,
});
const blockDelta = (index: number, inside: object) => ({ type: 'content_block_delta', index, delta: inside });
const blockStop = (index: number) => ({ type: 'content_block_stop', index });
const messages = (name: string, events: readonly { readonly type: string }[]): HostileStream => ({
  name,
  format: 'messages',
  body: named([
    {
      type: 'message_start',
      message: {
        id: 'm',
        type: 'message',
        role: 'assistant',
        model: 'x',
        content: [],
        usage: { input_tokens: 5, output_tokens: 1 },
      },
    } as { readonly type: string },
    ...events,
    { type: 'message_delta', delta: { stop_reason: 'end_turn' }, usage: { output_tokens: 9 } } as {
      readonly type: string;
    },
    { type: 'message_stop' },
  ]),
});
const webCitation = (index: number) => ({
  type: 'web_search_result_location',
  url: `https://a.example/${index}`,
  title: 't',
  encrypted_index: 'e',
  cited_text: 'x',
});

export const MESSAGES = (): readonly HostileStream[] => [
  messages(
    'tiny calls',
    times(50_000, (index) => [
      block(index, { type: 'tool_use', id: `c${index}`, name: 'f', input: {} }),
      blockStop(index),
    ]).flat(),
  ),
  messages(
    'tiny calls that never stop',
    times(MANY, (index) => block(index, { type: 'tool_use', id: `c${index}`, name: 'f', input: {} })),
  ),
  messages(
    'tiny texts',
    times(MANY / 2, (index) => [
      block(index, { type: 'text', text: '' }),
      blockDelta(index, { type: 'text_delta', text: 'a' }),
    ]).flat(),
  ),
  messages(
    'empty blocks',
    times(MANY, (index) => block(index, { type: 'text', text: '' })),
  ),
  messages(
    'blocks of one index',
    times(MANY, () => block(0, { type: 'text', text: 'a' })),
  ),
  messages(
    'thinking blocks',
    times(MANY / 2, (index) => [
      block(index, { type: 'thinking', thinking: '', signature: '' }),
      blockDelta(index, { type: 'signature_delta', signature: 'abc' }),
    ]).flat(),
  ),
  messages('citations', [
    block(0, { type: 'text', text: '' }),
    ...times(MANY, (index) => blockDelta(0, { type: 'citations_delta', citation: webCitation(index) })),
  ]),
  messages('citations of a block', [block(0, { type: 'text', text: 'a', citations: packed(webCitation) })]),
  messages('search results', [
    block(0, {
      type: 'web_search_tool_result',
      tool_use_id: 's',
      content: packed((index) => ({
        type: 'web_search_result',
        url: `https://a.example/${index}`,
        title: 't',
        encrypted_content: 'e',
      })),
    }),
  ]),
  messages('arguments in pieces', [
    block(0, { type: 'tool_use', id: 'c', name: 'f', input: {} }),
    ...times(MANY, () => blockDelta(0, { type: 'input_json_delta', partial_json: '1' })),
  ]),
  messages('an input of many members', [
    block(0, {
      type: 'tool_use',
      id: 'c',
      name: 'f',
      input: Object.fromEntries(packed((index) => `m${index}`).map((name) => [name, 1])),
    }),
  ]),
  messages(
    'pings',
    times(MANY, () => ({ type: 'ping' })),
  ),
  messages(
    'server tools',
    times(MANY, (index) =>
      block(index, { type: 'server_tool_use', id: `s${index}`, name: 'web_search', input: {} }),
    ),
  ),
];

const item = (output_index: number, inside: object) => ({
  type: 'response.output_item.added',
  output_index,
  item: inside,
});
const itemDone = (output_index: number, inside: object) => ({
  type: 'response.output_item.done',
  output_index,
  item: inside,
});
const aCall = (index: number) => ({
  type: 'function_call',
  id: `fc${index}`,
  call_id: `c${index}`,
  name: 'f',
  arguments: '',
});
const aMessage = (index: number, content: readonly unknown[] = []) => ({
  type: 'message',
  id: `msg${index}`,
  role: 'assistant',
  status: 'in_progress',
  content,
});
const annotation = (index: number) => ({
  type: 'url_citation',
  url: `https://a.example/${index}`,
  title: 't',
  start_index: 0,
  end_index: 1,
});
const text = (inside: string, output_index = 0, content_index = 0) => ({
  type: 'response.output_text.delta',
  output_index,
  content_index,
  item_id: `msg${output_index}`,
  delta: inside,
});
const responses = (
  name: string,
  events: readonly { readonly type: string }[],
  output: readonly unknown[] = [],
): HostileStream => ({
  name,
  format: 'responses',
  body: named([
    {
      type: 'response.created',
      response: { id: 'resp_1', object: 'response', status: 'in_progress', output: [] },
    } as { readonly type: string },
    ...events,
    {
      type: 'response.completed',
      response: { id: 'resp_1', object: 'response', status: 'completed', output },
    } as { readonly type: string },
  ]),
});

export const RESPONSES = (): readonly HostileStream[] => [
  responses(
    'tiny calls',
    times(MANY / 2, (index) => [item(index, aCall(index)), itemDone(index, aCall(index))]).flat(),
  ),
  responses(
    'tiny calls that never end',
    times(MANY, (index) => item(index, aCall(index))),
  ),
  responses('tiny calls at the end alone', [text('a')], packed(aCall)),
  responses('messages', times(MANY / 2, (index) => [item(index, aMessage(index)), text('a', index)]).flat()),
  responses('parts of one message', [item(0, aMessage(0)), ...times(MANY, (index) => text('a', 0, index))]),
  responses('annotations', [
    item(0, aMessage(0)),
    text('a'),
    ...times(MANY, (index) => ({
      type: 'response.output_text.annotation.added',
      output_index: 0,
      content_index: 0,
      annotation_index: index,
      item_id: 'msg0',
      annotation: annotation(index),
    })),
  ]),
  responses('annotations in one part', [
    item(0, aMessage(0)),
    text('a'),
    {
      type: 'response.content_part.done',
      output_index: 0,
      content_index: 0,
      item_id: 'msg0',
      part: { type: 'output_text', text: 'a', annotations: packed(annotation) },
    } as { readonly type: string },
  ]),
  responses('annotations in a message that ended', [
    itemDone(0, aMessage(0, [{ type: 'output_text', text: 'a', annotations: packed(annotation) }])),
  ]),
  responses('log probabilities', [
    item(0, aMessage(0)),
    { ...text('a'), logprobs: packed(() => logprob) } as { readonly type: string },
  ]),
  responses(
    'reasoning',
    times(MANY / 2, (index) => [
      item(index, { type: 'reasoning', id: `rs${index}`, summary: [] }),
      {
        type: 'response.reasoning_summary_text.delta',
        output_index: index,
        summary_index: 0,
        item_id: `rs${index}`,
        delta: 'a',
      },
    ]).flat(),
  ),
  responses('summaries of one reasoning', [
    item(0, { type: 'reasoning', id: 'rs0', summary: [] }),
    ...times(MANY, (index) => ({
      type: 'response.reasoning_summary_text.delta',
      output_index: 0,
      summary_index: index,
      item_id: 'rs0',
      delta: 'a',
    })),
  ]),
  responses(
    'items of the vendor',
    times(MANY, (index) =>
      itemDone(index, { type: 'web_search_call', id: `ws${index}`, status: 'completed' }),
    ),
  ),
  responses('arguments in pieces', [
    item(0, aCall(0)),
    ...times(MANY, () => ({
      type: 'response.function_call_arguments.delta',
      output_index: 0,
      item_id: 'fc0',
      delta: '1',
    })),
  ]),
];

const parts = (inside: readonly unknown[], more: object = {}) => ({
  candidates: [{ index: 0, content: { role: 'model', parts: inside }, ...more }],
});
const chunk = (index: number) => ({ web: { uri: `https://a.example/${index}`, title: 't' } });
const support = (index: number) => ({
  segment: { startIndex: 0, endIndex: 1, text: 'a' },
  groundingChunkIndices: [index % 100],
});
const functionCall = (index: number) => ({ functionCall: { name: 'f', args: {}, id: `c${index}` } });
const gemini = (name: string, events: readonly unknown[]): HostileStream => ({
  name,
  format: 'gemini',
  body: sse([...events, parts([{ text: '' }], { finishReason: 'STOP' })]),
});

export const GEMINI = (): readonly HostileStream[] => [
  gemini(
    'tiny calls',
    times(MANY, (index) => parts([functionCall(index)])),
  ),
  gemini('tiny calls in one event', [parts(packed(functionCall))]),
  gemini(
    'tiny calls without arguments',
    times(MANY, () => parts([{ functionCall: { name: 'f' } }])),
  ),
  gemini('tiny texts in one event', [parts(packed(() => ({ text: 'a' })))]),
  gemini(
    'tiny texts and thoughts in turn',
    times(MANY, (index) => parts([index % 2 === 0 ? { text: 'a' } : { text: 'b', thought: true }])),
  ),
  gemini(
    'signatures',
    times(MANY, () => parts([{ text: 'a', thoughtSignature: 'abc' }])),
  ),
  gemini('candidates in one event', [
    { candidates: packed((index) => ({ index, content: { parts: [{ text: 'a' }] } })) },
  ]),
  gemini(
    'candidates of any index',
    times(MANY, (index) => ({ candidates: [{ index, content: { parts: [{ text: 'a' }] } }] })),
  ),
  gemini('chunks of grounding', [
    parts([{ text: 'a' }], {
      groundingMetadata: { groundingChunks: packed(chunk), groundingSupports: times(1_000, support) },
    }),
  ]),
  gemini('supports of grounding', [
    parts([{ text: 'a' }], {
      groundingMetadata: { groundingChunks: times(100, chunk), groundingSupports: packed(support) },
    }),
  ]),
  gemini(
    'grounding in every event',
    times(2_000, () =>
      parts([{ text: 'a' }], {
        groundingMetadata: { groundingChunks: times(50, chunk), groundingSupports: times(50, support) },
      }),
    ),
  ),
  gemini(
    'reports in every event',
    times(MANY, (index) => ({
      ...parts([{ text: 'a' }]),
      usageMetadata: { promptTokenCount: 5, candidatesTokenCount: index },
    })),
  ),
  gemini(
    'partial arguments',
    times(MANY, (index) =>
      parts([
        {
          functionCall: {
            name: index === 0 ? 'f' : undefined,
            partialArgs: [{ jsonPath: `$.a${index}`, stringValue: 'x' }],
            willContinue: true,
          },
        },
      ]),
    ),
  ),
  gemini(
    'code and its results',
    times(MANY, (index) =>
      parts([
        index % 2 === 0
          ? { executableCode: { language: 'PYTHON', code: 'a' } }
          : { codeExecutionResult: { outcome: 'OUTCOME_OK', output: 'a' } },
      ]),
    ),
  ),
  gemini('log probabilities', [
    parts([{ text: 'a' }], {
      logprobsResult: {
        chosenCandidates: packed(() => ({ token: 'a', tokenId: 1, logProbability: -1 })),
        topCandidates: [],
      },
    }),
  ]),
];

import { list, object, text, type Json } from './strict-vendors/story.js';

type Growing = Record<string, unknown>;

/** The documents of a stream's events, in order; end markers left out. */
export const documentsIn = (stream: string): readonly Json[] =>
  [...stream.matchAll(/^data: ?(\{.*\})$/gm)].map((match) => object(JSON.parse(match[1] ?? '{}')));

/** Puts two things together the way OpenAI's packages do: texts joined, lists by `index`, the rest replaced. */
function grow(before: unknown, more: unknown): unknown {
  if (typeof before === 'string' && typeof more === 'string') return before + more;
  if (Array.isArray(more)) {
    const all = [...(Array.isArray(before) ? (before as unknown[]) : [])];
    for (const item of more as unknown[]) {
      const { index, ...rest } = object(item);
      if (typeof index !== 'number')
        throw new Error(`a list in a delta has no index: ${JSON.stringify(item)}`);
      all[index] = grow(all[index], rest);
    }
    return all;
  }
  if (typeof before !== 'object' || before === null || typeof more !== 'object' || more === null)
    return more ?? before;
  const grown: Growing = { ...before };
  for (const [name, value] of Object.entries(more))
    grown[name] = FIXED.has(name)
      ? (value as unknown)
      : name === 'reasoning_details'
        ? [...list(grown[name]), ...indexed(value)]
        : grow(grown[name], value);
  return grown;
}
/** Entries of reasoning: their numbers say which belong together, not where they stand. */
function indexed(value: unknown): readonly Json[] {
  const entries = list(value);
  for (const entry of entries)
    if (typeof entry['index'] !== 'number')
      throw new Error(`an entry has no index: ${JSON.stringify(entry)}`);
  return entries;
}

/** Said again rather than in pieces. */
const FIXED = new Set(['type', 'role', 'id', 'format', 'signature']);

/** Chunks of a chat as one completion. */
function gatherChat(stream: string): Json {
  const chunks = documentsIn(stream);
  const choices: Growing[] = [];
  let usage: unknown;
  for (const chunk of chunks) {
    usage = chunk['usage'] ?? usage;
    for (const { index, delta, finish_reason: reason, logprobs } of list(chunk['choices'])) {
      const choice = (choices[Number(index)] ??= { index, message: {}, finish_reason: null, logprobs: null });
      choice['message'] = grow(choice['message'], delta);
      choice['finish_reason'] = reason ?? choice['finish_reason'];
      choice['logprobs'] = logprobs ?? choice['logprobs'];
    }
  }
  const { id, created, model } = chunks[0] ?? {};
  if (chunks.some((chunk) => chunk['id'] !== id || chunk['created'] !== created || chunk['model'] !== model))
    throw new Error('chunks of one stream differ in id, time or model');
  return { id, object: 'chat.completion', created, model, choices, usage };
}

/** Events of a response as its last document; what pieces added up to must be what it says. */
function gatherResponses(stream: string): Json {
  const events = documentsIn(stream);
  const items: Growing[] = [];
  for (const [at, event] of events.entries()) {
    if (event['sequence_number'] !== at)
      throw new Error(`event ${at} has number ${String(event['sequence_number'])}`);
    const index = Number(event['output_index']);
    const item = items[index];
    const piece = text(event['delta']);
    switch (event['type']) {
      case 'response.output_item.added':
        items[index] = { pieces: '', annotations: [] };
        break;
      case 'response.output_text.delta':
      case 'response.refusal.delta':
      case 'response.reasoning_summary_text.delta':
      case 'response.function_call_arguments.delta':
      case 'response.custom_tool_call_input.delta':
        if (item !== undefined) item['pieces'] = text(item['pieces']) + piece;
        break;
      case 'response.output_text.annotation.added':
        if (item !== undefined)
          item['annotations'] = [...(item['annotations'] as unknown[]), event['annotation']];
        break;
      case 'response.output_item.done':
        if (item !== undefined) expectSame(item, object(event['item']));
        items[index] = { ...object(event['item']) };
    }
  }
  const last = object(events.at(-1)?.['response']);
  if (JSON.stringify(last['output']) !== JSON.stringify(items))
    throw new Error('the last event repeats other items than were done');
  return last;
}

function expectSame({ pieces, annotations }: Growing, item: Json): void {
  const [part] = [...list(item['summary']), ...list(item['content'])];
  const whole =
    text(item['arguments']) || text(item['input']) || text(part?.['text']) || text(part?.['refusal']);
  if (pieces !== whole) throw new Error(`pieces ${JSON.stringify(pieces)} of ${JSON.stringify(item)}`);
  if (JSON.stringify(part?.['annotations'] ?? []) !== JSON.stringify(annotations))
    throw new Error(`other annotations than ${JSON.stringify(item)}`);
}

/** Events of a message as the message, as Anthropic's packages put them together. */
function gatherMessages(stream: string): Json {
  let message: Growing = {};
  const blocks: Growing[] = [];
  let open: number | undefined;
  for (const event of documentsIn(stream)) {
    const index = Number(event['index']);
    const block = blocks[index];
    switch (event['type']) {
      case 'message_start':
        message = { ...object(event['message']) };
        break;
      case 'content_block_start':
        if (index !== blocks.length || open !== undefined)
          throw new Error(`block ${index} begins out of turn`);
        open = index;
        blocks.push({ ...object(event['content_block']), json: '' });
        break;
      case 'content_block_delta': {
        if (index !== open || block === undefined)
          throw new Error(`a piece of block ${index}, which is not open`);
        const delta = object(event['delta']);
        if (delta['type'] === 'text_delta') block['text'] = text(block['text']) + text(delta['text']);
        else if (delta['type'] === 'thinking_delta')
          block['thinking'] = text(block['thinking']) + text(delta['thinking']);
        else if (delta['type'] === 'signature_delta') block['signature'] = delta['signature'];
        else if (delta['type'] === 'input_json_delta')
          block['json'] = text(block['json']) + text(delta['partial_json']);
        else if (delta['type'] === 'citations_delta')
          block['citations'] = [...list(block['citations']), delta['citation']];
        break;
      }
      case 'content_block_stop':
        open = undefined;
        break;
      case 'message_delta':
        Object.assign(message, event['delta'], {
          usage: { ...object(message['usage']), ...object(event['usage']) },
        });
    }
  }
  const content = blocks.map(({ json, ...block }) => {
    if (block['type'] === 'tool_use' && json !== '')
      return { ...block, input: JSON.parse(text(json)) as unknown };
    // A stream begins every text with an empty list, which some packages add to; a whole answer has no list where nothing is cited.
    const { citations, ...rest } = block;
    return block['type'] === 'text' && list(citations).length === 0 ? rest : block;
  });
  return { ...message, content };
}

/** Documents of a stream as one. Neighbouring pieces of one kind are one part; a signature stands at its piece or behind it. */
function gatherGemini(stream: string): Json {
  const documents = documentsIn(stream);
  const candidates: Growing[] = [];
  for (const document of documents)
    for (const candidate of list(document['candidates'])) {
      const index = Number(candidate['index']);
      const before = candidates[index] ?? { parts: [] };
      const { content, ...rest } = candidate;
      candidates[index] = {
        ...before,
        ...rest,
        parts: [...list(before['parts']), ...list(object(content)['parts'])],
      };
    }
  return {
    ...documents.at(-1),
    candidates: candidates.map(({ parts, ...rest }) => ({ ...rest, content: { role: 'model', parts } })),
  };
}

/** Parts of an answer of Gemini's API, pieces joined. */
export function joinParts(parts: readonly Json[]): readonly Json[] {
  const joined: Growing[] = [];
  for (const part of parts) {
    const last = joined.at(-1);
    const isText = typeof part['text'] === 'string';
    if (part['text'] === '' && part['thoughtSignature'] === undefined) continue;
    const mayJoin =
      last !== undefined &&
      isText &&
      typeof last['text'] === 'string' &&
      last['thought'] === part['thought'] &&
      last['thoughtSignature'] === undefined;
    if (mayJoin) Object.assign(last, { ...part, text: text(last['text']) + text(part['text']) });
    else joined.push({ ...part });
  }
  return joined;
}

/** A stream of each client API as the whole answer it adds up to. Fails: throws where a client could not put it together. */
export const GATHERED: Readonly<Record<string, (stream: string) => Json>> = {
  'openai-chat': gatherChat,
  'openai-responses': gatherResponses,
  'anthropic-messages': gatherMessages,
  'gemini-generate': gatherGemini,
};

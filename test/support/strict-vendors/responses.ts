import { checkDataUrl, list, object, pieces, refuse, SPENT, text, type Json, type Turn } from './story.js';
import { OPENAI_FAILURES } from './openai-failures.js';
import { requestSchemas } from '../schemas/check-schema.js';
import { checkPublished, checkStrictSchema } from './schema-rules.js';
import { sendEvents, sendJson, type StrictGrammar, type Wanted } from './strict-grammar.js';

/** Items that are neither messages nor thoughts nor functions. */
const OTHER_ITEMS = /^(?!message$|reasoning$|function_call$|function_call_output$)/;
const sealed = (index: number): string => Buffer.from(`sealed ${index}`).toString('base64');

function wordsOf(content: unknown, role: string, place: string): string {
  if (typeof content === 'string') return content;
  const known =
    role === 'assistant' ? ['output_text', 'refusal'] : ['input_text', 'input_image', 'input_file'];
  return list(content)
    .map((part) => {
      const type = text(part['type']);
      if (!known.includes(type))
        refuse(
          `Invalid value: '${type}'. Supported values are: ${known.map((name) => `'${name}'`).join(', ')}. (${place})`,
        );
      if (part['image_url'] !== undefined) checkDataUrl(text(part['image_url']), place);
      if (part['file_data'] !== undefined) checkDataUrl(text(part['file_data']), place);
      return text(part['text']);
    })
    .join('');
}

type Growing = {
  text: string;
  calls: Turn['calls'][number][];
  results: { id: string; text: string }[];
  signatures: number;
};

/** @param isContinued  turns before these are kept by the vendor */
function turnsOf(
  items: readonly Json[],
  { isStored, isForeign, isContinued }: Readonly<Record<'isStored' | 'isForeign' | 'isContinued', boolean>>,
): Turn[] {
  let isKept = isContinued;
  const turns: Growing[] = [];
  let isOpen = false;
  let needsFollower: string | undefined;
  const growing = (): Growing => {
    if (!isOpen) turns.push({ text: '', calls: [], results: [], signatures: 0 });
    isOpen = true;
    return turns.at(-1) ?? refuse('no turn');
  };
  for (const [at, item] of items.entries()) {
    const place = `input[${at}]`;
    const type = text(item['type'] ?? 'message');
    const isNamed = type === 'item_reference' || (item['type'] === undefined && item['role'] === undefined);
    if (isNamed || OTHER_ITEMS.test(type)) {
      // Items that do not affect the order of functions: content, and calls of tools that are no functions.
      needsFollower = undefined;
      isKept ||= isNamed;
      continue;
    }
    const isModel = type === 'reasoning' || type === 'function_call' || item['role'] === 'assistant';
    if (needsFollower !== undefined && (!isModel || type === 'reasoning'))
      refuse(`Item '${needsFollower}' of type 'reasoning' was provided without its required following item.`);
    if (type === 'reasoning') {
      const turn = growing();
      if (item['encrypted_content'] == null && !isStored)
        refuse(
          `Item with id '${text(item['id'])}' not found. Items are not persisted when \`store\` is set to false.`,
        );
      const isKnownById = isStored && item['encrypted_content'] == null && item['id'] !== undefined;
      if (!isForeign && !isKnownById && item['encrypted_content'] !== sealed(turns.length - 1))
        refuse(`The encrypted content ${text(item['encrypted_content'])} could not be verified.`);
      if (!isForeign && item['id'] !== undefined && item['id'] !== `rs_${turns.length - 1}`)
        refuse(`Invalid '${place}.id'`);
      if (!Array.isArray(item['summary'])) refuse(`Missing required parameter: '${place}.summary'.`);
      turn.signatures += 1;
      needsFollower = `rs_${turns.length - 1}`;
      continue;
    }
    needsFollower = undefined;
    if (type === 'function_call') {
      const name = text(item['name']);
      const id = text(item['call_id']);
      if (item['id'] !== undefined && !text(item['id']).startsWith('fc'))
        refuse(`Invalid '${place}.id': '${text(item['id'])}'. Expected an ID that begins with 'fc'.`);
      growing().calls.push({ id, name, args: object(JSON.parse(text(item['arguments']))) });
    } else if (type === 'function_call_output') {
      isOpen = false;
      const id = text(item['call_id']);
      const isAnswer = turns.at(-1)?.calls.some((call) => call.id === id) === true;
      if (!isAnswer && !isKept) refuse(`No tool call found for function call output with call_id ${id}.`);
      turns
        .at(-1)
        ?.results.push({ id, text: text(item['output']) || wordsOf(item['output'], 'user', place) });
    } else if (isModel) growing().text += wordsOf(item['content'], 'assistant', place);
    else {
      isOpen = false;
      wordsOf(item['content'], 'user', place);
    }
  }
  if (needsFollower !== undefined)
    refuse(`Item '${needsFollower}' of type 'reasoning' was provided without its required following item.`);
  for (const { calls, results } of turns)
    for (const { id } of calls)
      if (!results.some((result) => result.id === id))
        refuse(`No tool output found for function call ${id}.`);
  return turns;
}

function checkTools(body: Json): void {
  for (const tool of list(body['tools'])) {
    // The others are run by the vendor, each with members of its own.
    if (tool['type'] !== 'function') continue;
    if (text(tool['name']) === '') refuse("Missing required parameter: 'tools[0].name'.");
    // Here a tool is strict unless it says otherwise.
    if (tool['strict'] === true) checkStrictSchema(tool['parameters'], `function '${text(tool['name'])}'`);
  }
  const format = object(object(body['text'])['format']);
  if (format['type'] !== 'json_schema') return;
  if (text(format['name']) === '') refuse("Missing required parameter: 'text.format.name'.");
  if (format['strict'] === true)
    checkStrictSchema(format['schema'], `response_format '${text(format['name'])}'`);
}

/** Without what the vendor takes from its own Codex, and its document does not have: ids of messages, facts about the client. */
function withPlainMessages({ client_metadata: _facts, ...body }: Json): Json {
  if (!Array.isArray(body['input'])) return body;
  const input = list(body['input']).map((item) => {
    if (item['role'] === undefined) return item;
    const { id: _id, status: _status, ...rest } = item;
    return rest;
  });
  return { ...body, input };
}

/** OpenAI's Responses (https://platform.openai.com/docs/api-reference/responses, read 2026-11-21). */
export const responsesGrammar: StrictGrammar = {
  understand: (body, _request, story) => {
    checkPublished(requestSchemas.openai(), 'CreateResponse', withPlainMessages(body));
    checkTools(body);
    const input =
      typeof body['input'] === 'string' ? [{ role: 'user', content: body['input'] }] : list(body['input']);
    return {
      turns: turnsOf(input, {
        isStored: body['store'] !== false,
        isForeign: story.isForeign === true,
        isContinued: body['previous_response_id'] != null || body['conversation'] != null,
      }),
      isStreamed: body['stream'] === true,
      isThinking: object(body['reasoning'])['effort'] !== 'none',
      marks: 0,
      pictures: JSON.stringify(input).split('"type":"input_image"').length - 1,
      files: JSON.stringify(input).split('"type":"input_file"').length - 1,
    };
  },
  answer: (wanted, response) => {
    const output = outputOf(wanted);
    if (wanted.isStreamed) sendEvents(response, eventsOf(wanted, output));
    else sendJson(response, documentOf(wanted, 'completed', output));
  },
  refusal: (message) => ({ error: { message, type: 'invalid_request_error', param: null, code: null } }),
  failures: OPENAI_FAILURES,
};

const annotationsOf = ({ text: said, sources = [] }: Wanted['step']): Json[] =>
  sources.map(({ url, title }) => ({
    type: 'url_citation',
    start_index: 0,
    end_index: said.length,
    url,
    title,
  }));

const isSealing = ({ body }: Wanted): boolean =>
  Array.isArray(body['include']) && body['include'].includes('reasoning.encrypted_content');

function outputOf(wanted: Wanted): Json[] {
  const { step } = wanted;
  const { index } = step;
  return [
    {
      id: `rs_${index}`,
      type: 'reasoning',
      summary: [{ type: 'summary_text', text: step.thought }],
      ...(isSealing(wanted) ? { encrypted_content: sealed(index) } : {}),
    },
    ...(step.text === ''
      ? []
      : [
          {
            id: `msg_${index}`,
            type: 'message',
            status: 'completed',
            role: 'assistant',
            content: [
              { type: 'output_text', text: step.text, annotations: annotationsOf(step), logprobs: [] },
            ],
          },
        ]),
    ...step.calls.map(({ id, name, args }, at) => ({
      id: `fc_${index}_${at}`,
      type: 'function_call',
      status: 'completed',
      call_id: id,
      name,
      arguments: JSON.stringify(args),
    })),
  ];
}

function documentOf({ step, body }: Wanted, status: string, output: readonly Json[]): Json {
  const usage = {
    input_tokens: SPENT.fresh + SPENT.cached,
    input_tokens_details: { cached_tokens: SPENT.cached, cache_write_tokens: 0 },
    output_tokens: SPENT.output,
    output_tokens_details: { reasoning_tokens: SPENT.thinking },
    total_tokens: SPENT.fresh + SPENT.cached + SPENT.output,
  };
  return {
    id: `resp_${step.index}`,
    object: 'response',
    created_at: 1_800_000_000,
    status,
    error: null,
    incomplete_details: null,
    instructions: null,
    model: body['model'],
    output,
    parallel_tool_calls: true,
    temperature: 1,
    top_p: 1,
    tool_choice: 'auto',
    tools: body['tools'] ?? [],
    metadata: {},
    usage: status === 'completed' ? usage : null,
  };
}

function eventsOf(wanted: Wanted, output: readonly Json[]): Json[] {
  const events: Json[] = [];
  const emit = (type: string, members: Json): void => {
    events.push({ type, sequence_number: events.length, ...members });
  };
  emit('response.created', { response: documentOf(wanted, 'in_progress', []) });
  emit('response.in_progress', { response: documentOf(wanted, 'in_progress', []) });
  for (const [index, item] of output.entries()) emitItem(item, index, emit);
  emit('response.completed', { response: documentOf(wanted, 'completed', output) });
  return events;
}

function emitItem(item: Json, output_index: number, emit: (type: string, members: Json) => void): void {
  const place = { item_id: item['id'], output_index };
  if (item['type'] === 'reasoning') {
    const words = text(list(item['summary'])[0]?.['text']);
    const part = { ...place, summary_index: 0 };
    emit('response.output_item.added', { output_index, item: { ...item, summary: [] } });
    emit('response.reasoning_summary_part.added', { ...part, part: { type: 'summary_text', text: '' } });
    for (const delta of pieces(words)) emit('response.reasoning_summary_text.delta', { ...part, delta });
    emit('response.reasoning_summary_text.done', { ...part, text: words });
    emit('response.reasoning_summary_part.done', { ...part, part: { type: 'summary_text', text: words } });
  } else if (item['type'] === 'function_call') {
    const args = text(item['arguments']);
    emit('response.output_item.added', {
      output_index,
      item: { ...item, status: 'in_progress', arguments: '' },
    });
    for (const delta of pieces(args)) emit('response.function_call_arguments.delta', { ...place, delta });
    emit('response.function_call_arguments.done', { ...place, name: item['name'], arguments: args });
  } else {
    const [part] = list(item['content']);
    const words = text(part?.['text']);
    const at = { ...place, content_index: 0 };
    const empty = { type: 'output_text', text: '', annotations: [], logprobs: [] };
    emit('response.output_item.added', {
      output_index,
      item: { ...item, status: 'in_progress', content: [] },
    });
    emit('response.content_part.added', { ...at, part: empty });
    for (const delta of pieces(words)) emit('response.output_text.delta', { ...at, delta, logprobs: [] });
    for (const [annotation_index, annotation] of list(part?.['annotations']).entries())
      emit('response.output_text.annotation.added', { ...at, annotation_index, annotation });
    emit('response.output_text.done', { ...at, text: words, logprobs: [] });
    emit('response.content_part.done', { ...at, part });
  }
  emit('response.output_item.done', { output_index, item });
}

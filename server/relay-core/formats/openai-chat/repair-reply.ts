import { parseAsWritten } from '../../framing/exact-json.js';
import {
  documentOf,
  isDocument,
  listOf,
  numberOf,
  parseDocument,
  textOf,
  wholeSecondsOf,
  type Document,
} from '../shared/fields/json-fields.js';
import { readText } from './read-reply.js';
import type { RepairFacts } from '../contract/reply-meter.js';
import {
  finishReasonIn,
  isOpenaiFinishReason,
  readFinishReason,
  writeFinishReason,
} from '../shared/openai/openai-finish-reason.js';
import { isForeignTier } from '../shared/metering/reported-usage.js';
import { hasNullFigures } from '../shared/openai/openai-usage.js';

const CHUNK = 'chat.completion.chunk';

/**
 * A reply or a chunk of a compatible vendor without the values for which clients with generated types refuse the whole answer, or lose a part of it: a time
 * that is no whole second, reasons to stop in words of its own, calls without the index of their call or without arguments, figures that
 * are null, a frame of figures without choices, a choice without its index, a delta that is null or called a message, content in parts,
 * an unknown role, a finish reason although more of the answer follows, a class of service under a name of its own. Everything else stays as it came.
 */
export function repairChat(json: string, facts: RepairFacts, first?: string): string {
  const document = documentIn(json);
  if (document === undefined) return json;
  const { choices } = document;
  const mended: Record<string, unknown> = {
    ...(first === undefined || Array.isArray(choices) ? document : asChunk(document, first)),
  };
  const created = wholeSecondsOf(mended['created']);
  if (created !== undefined) mended['created'] = created;
  if (isForeignTier(mended['service_tier'])) delete mended['service_tier'];
  if (hasNullFigures(document['usage'])) mended['usage'] = figuresOf(documentOf(document['usage']));
  if (Array.isArray(choices)) mended['choices'] = repairChoices(choices, facts, first !== undefined);
  return JSON.stringify(mended);
}

const documentIn = (json: string): Document | undefined =>
  parseDocument(json, (text) => parseAsWritten(text, READ_NUMBERS));

const READ_NUMBERS: ReadonlySet<string> = new Set([
  'created',
  'index',
  'prompt_tokens',
  'completion_tokens',
  'total_tokens',
]);

/** A frame that bears no choices, under the names of the first. */
function asChunk(document: Document, first: string): Document {
  const { id, created, model } = documentOf(documentIn(first));
  return { id, created, model, ...document, object: CHUNK, choices: [] };
}

function repairChoices(choices: readonly unknown[], facts: RepairFacts, isChunk: boolean): unknown[] {
  let entries = 0;
  return choices.map((choice, at) => {
    if (!isDocument(choice)) return choice;
    const { finish_reason: raw, delta, message, index = at, ...others } = choice;
    const end = finishReasonIn(raw);
    const said = documentOf(isChunk ? (delta ?? message) : message);
    const places = facts.places.slice(entries, (entries += listOf(said['tool_calls']).length));
    const isEnd = end !== undefined && facts.isEarlyEnd !== true;
    const endsBare = isEnd ? (facts.endedWithoutArguments.get(numberOf(index) ?? at) ?? []) : [];
    return {
      index,
      ...(isChunk ? { delta: repairDelta(said, places, endsBare) } : {}),
      ...(!isChunk && isDocument(message) ? { message: repairMessage(message) } : {}),
      finish_reason: isEnd ? finishReasonFor(end, facts) : null,
      ...others,
    };
  });
}

/** A finish reason of no table stays: the caller chose this vendor, and no other word is as exact. */
function finishReasonFor(raw: string, { hasToolCalls }: RepairFacts): string {
  if (isOpenaiFinishReason(raw) || readFinishReason(raw).unified === 'other') return raw;
  return writeFinishReason(readFinishReason(raw, hasToolCalls));
}

function repairDelta(said: Document, places: readonly number[], endsBare: readonly number[]): Document {
  const delta = withPlainFields(said);
  const calls = listOf(delta['tool_calls']).map((call, at) => ({
    ...documentOf(call),
    index: places[at] ?? at,
    ...withArguments(call, ''),
  }));
  // An answer may have any number of calls: looking for each of them in a list would take their number squared.
  const began = new Map(calls.toReversed().map((call) => [call.index, call]));
  for (const index of endsBare) {
    const call = began.get(index);
    const made = { ...documentOf(documentOf(call)['function']), arguments: NO_ARGUMENTS };
    if (call === undefined) calls.push({ index, function: made });
    else Object.assign(call, { function: made });
  }
  return calls.length === 0 ? delta : { ...delta, tool_calls: calls };
}

function repairMessage(said: Document): Document {
  const message = withPlainFields(said);
  const calls = listOf(message['tool_calls']);
  if (calls.length === 0) return message;
  const mended = calls.map((call) => ({ ...documentOf(call), ...withArguments(call, NO_ARGUMENTS) }));
  return { ...message, tool_calls: mended };
}

/**
 * With the one role there is, and with content in parts of text as one text. Thoughts among the parts (Mistral) become the member by which
 * clients of this API read them.
 */
function withPlainFields(said: Document): Document {
  const { role, content } = said;
  const plain = typeof role === 'string' && role !== ROLE ? { ...said, role: ROLE } : said;
  if (!Array.isArray(content) || !content.every(isWords)) return plain;
  const { text, thinking } = readText(content);
  return {
    ...plain,
    content: text,
    ...(thinking === ''
      ? {}
      : { reasoning_content: `${textOf(said['reasoning_content']) ?? ''}${thinking}` }),
  };
}

const ROLE = 'assistant';
const WORDS: readonly unknown[] = ['text', 'output_text', 'thinking'];
const isWords = (part: unknown): boolean => isDocument(part) && WORDS.includes(part['type']);

/** Figures a vendor knows beside some it does not; undefined = it knows none. */
function figuresOf(usage: Document): Document | undefined {
  const { prompt_tokens: input, completion_tokens: output, total_tokens: total } = usage;
  if (typeof input !== 'number' && typeof output !== 'number') return undefined;
  const sum = (numberOf(input) ?? 0) + (numberOf(output) ?? 0);
  return {
    ...usage,
    prompt_tokens: input ?? 0,
    completion_tokens: output ?? 0,
    total_tokens: total ?? sum,
  };
}

const NO_ARGUMENTS = '{}';

/** The function of a call with its arguments as a text. @param none  for a call that has none */
function withArguments(call: unknown, none: string): { readonly function?: Document } {
  const made = documentOf(call)['function'];
  if (!isDocument(made)) return {};
  const { arguments: said } = made;
  if (typeof said === 'string' && said !== '') return {};
  return { function: { ...made, arguments: isDocument(said) ? JSON.stringify(said) : none } };
}

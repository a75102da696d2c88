import {
  documentOf,
  isDocument,
  listOf,
  numberOf,
  parseDocument,
  wholeSecondsOf,
  type Document,
} from '../shared/fields/json-fields.js';
import type { MendFacts } from '../contract/reply-meter.js';
import {
  isOwnFinishWord,
  readFinishReason,
  writeFinishReason,
} from '../shared/openai/openai-finish-reason.js';
import { hasNullFigures } from '../shared/openai/openai-usage.js';

const CHUNK = 'chat.completion.chunk';

/**
 * A reply or a chunk of a look-alike with what clients with generated types refuse the whole answer for, or lose a call by: a time that
 * is no whole second, reasons to stop in words of its own, calls without an index or arguments, figures that are null, a frame of
 * figures without choices. Everything else stays as it came.
 */
export function mendChat(json: string, facts: MendFacts, first?: string): string {
  const document = parseDocument(json);
  if (document === undefined) return json;
  const { choices } = document;
  const mended: Record<string, unknown> = {
    ...(first === undefined || Array.isArray(choices) ? document : asChunk(document, first)),
  };
  const created = wholeSecondsOf(mended['created']);
  if (created !== undefined) mended['created'] = created;
  if (hasNullFigures(document['usage'])) mended['usage'] = figuresOf(documentOf(document['usage']));
  if (Array.isArray(choices)) mended['choices'] = listOf(choices).map((one) => mendChoice(one, facts));
  return JSON.stringify(mended);
}

/** A frame that bears no choices, under the names of the first. */
function asChunk(document: Document, first: string): Document {
  const { id, created, model } = parseDocument(first) ?? {};
  return { id, created, model, ...document, object: CHUNK, choices: [] };
}

function mendChoice(choice: unknown, facts: MendFacts): unknown {
  if (!isDocument(choice)) return choice;
  const { finish_reason: raw, delta, message } = choice;
  const isForeign = typeof raw === 'string' && !isOwnFinishWord(raw);
  const isEnd = typeof raw === 'string' && raw !== '';
  return {
    ...choice,
    ...(isDocument(delta) ? { delta: mendDelta(delta, facts, isEnd) } : {}),
    ...(isDocument(message) ? { message: mendMessage(message) } : {}),
    ...(isForeign ? { finish_reason: raw === '' ? null : wordFor(raw, facts) } : {}),
  };
}

const wordFor = (raw: string, { hasToolCalls }: MendFacts): string =>
  writeFinishReason(readFinishReason(raw, hasToolCalls));

function mendDelta(delta: Document, { indexes, endsBare }: MendFacts, isEnd: boolean): Document {
  const calls = listOf(delta['tool_calls']).map((call, at) => ({
    ...documentOf(call),
    index: indexes[at] ?? at,
    ...withArguments(call, ''),
  }));
  const bare = isEnd ? endsBare : [];
  for (const index of bare) {
    const began = calls.find((call) => call.index === index);
    const made = { ...documentOf(documentOf(began)['function']), arguments: NO_ARGUMENTS };
    if (began === undefined) calls.push({ index, function: made });
    else Object.assign(began, { function: made });
  }
  return calls.length === 0 ? delta : { ...delta, tool_calls: calls };
}

function mendMessage(message: Document): Document {
  const calls = listOf(message['tool_calls']);
  if (calls.length === 0) return message;
  const mended = calls.map((call) => ({ ...documentOf(call), ...withArguments(call, NO_ARGUMENTS) }));
  return { ...message, tool_calls: mended };
}

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

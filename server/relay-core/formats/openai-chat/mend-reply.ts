import {
  isOwnFinishWord,
  readFinishReason,
  writeFinishReason,
} from '../shared/openai/openai-finish-reason.js';
import { isDocument, listOf, parseDocument, wholeSecondsOf } from '../shared/fields/json-fields.js';

/**
 * A reply or a chunk of a look-alike whose time is no whole second, or whose reasons to stop are words of its own: clients
 * with generated types refuse the whole answer for either. Everything else stays as it came.
 */
export function mendChat(json: string, hasToolCalls: boolean): string {
  const document = parseDocument(json);
  if (document === undefined) return json;
  const created = wholeSecondsOf(document['created']);
  return JSON.stringify({
    ...document,
    ...(created === undefined ? {} : { created }),
    ...(Array.isArray(document['choices'])
      ? { choices: listOf(document['choices']).map((one) => mendChoice(one, hasToolCalls)) }
      : {}),
  });
}

function mendChoice(choice: unknown, hasToolCalls: boolean): unknown {
  if (!isDocument(choice)) return choice;
  const raw = choice['finish_reason'];
  if (typeof raw !== 'string' || raw === '' || isOwnFinishWord(raw)) return choice;
  return { ...choice, finish_reason: writeFinishReason(readFinishReason(raw, hasToolCalls)) };
}

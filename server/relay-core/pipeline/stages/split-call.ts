import { ok, type Result } from '../../../common/result.js';
import { readField, spliceFields, type FieldChanges } from '../../framing/json-splice.js';
import { isListOperation } from '../../model/item-bounds.js';
import type { Operation } from '../../model/operation.js';
import { requestRefusal } from '../../model/refusals.js';
import type { RelayError } from '../../model/relay-error.js';
import { mostItemsOf } from '../../providers/provider.js';
import type { ClientCall, TranslatedCall } from '../context/call-types.js';
import { type CallPart, PartAnswers } from '../reply/part-answers.js';
import {
  translateCall,
  type Translation,
  type TranslationInput,
  type TranslationPorts,
} from './translate-call.js';

/** Most parts of one call. */
export const MAX_PARTS = 256;
/** An item and its comma have at least so many bytes. */
const MIN_ITEM_BYTES = 3;

/**
 * Stage 7, for calls with more items than the vendor takes in one: each part is translated as a call of its own, and the answers are
 * joined. All other calls are translated as they are. Bodies that an operator passes through are left whole.
 * Fails: as `translateCall`; invalid-request, naming the bound, for more parts than `MAX_PARTS`.
 */
export function translateInParts<O extends Operation>(
  ports: TranslationPorts,
  input: TranslationInput<O>,
): Translation<O> | Promise<Translation<O>> {
  const split = splitCall(ports, input);
  if (split === undefined) return translateCall(ports, input);
  if (!split.ok) return split;
  const parts = split.value;
  const translations = parts.map((parsed) =>
    translateCall(ports, { ...input, clientCall: { ...input.clientCall, parsed: parsed.parsed } }),
  );
  const join = (translated: readonly Translation<O>[]): Translation<O> | Promise<Translation<O>> => {
    const isForced = translated.some((each) => each.ok && each.value.plan.isForced === true);
    return isForced ? translateCall(ports, input) : joinParts(parts, translated);
  };
  const ready = translations.flatMap((each) => (each instanceof Promise ? [] : [each]));
  if (ready.length === translations.length) return join(ready);
  return Promise.all(translations.map((each) => Promise.resolve(each))).then(join);
}

function joinParts<O extends Operation>(
  parts: readonly CallPart<O>[],
  translated: readonly Translation<O>[],
): Translation<O> {
  const calls: TranslatedCall<O>[] = [];
  for (const each of translated) {
    if (!each.ok) return each;
    calls.push(each.value);
  }
  const [first] = calls as [TranslatedCall<O>, ...TranslatedCall<O>[]];
  const answers = new PartAnswers(first.operation, first.route, parts);
  return ok({
    ...first,
    operation: answers.operation,
    plan: { ...first.plan, reply: 'translate' },
    warnings: calls.flatMap(({ warnings }) => warnings),
    parts: {
      requests: calls.map(({ request }) => request),
      onSent: (index) => answers.onSent(index),
      take: (index, reply) => answers.take(index, reply),
    },
  });
}

/** The parts of a call; undefined = it leaves as it is. */
function splitCall<O extends Operation>(
  ports: TranslationPorts,
  { clientCall, operation, route }: TranslationInput<O>,
): Result<readonly CallPart<O>[], RelayError> | undefined {
  const { itemsMember: member } = clientCall.apiFormat;
  const { document } = clientCall.parsed;
  if (member === undefined || !isListOperation(operation)) return undefined;
  const provider = ports.findProvider(route.channelType);
  const most = provider.ok ? mostItemsOf(provider.value, operation, route) : undefined;
  // Most calls have few items: nothing is read for them.
  if (most === undefined || document.bytes.length <= most * MIN_ITEM_BYTES) return undefined;
  const items = itemsOf(clientCall, member);
  if (items === undefined || items.length <= most) return undefined;
  if (items.length > most * MAX_PARTS) return { ok: false, error: tooMany(member, most) };
  const parts: CallPart<O>[] = [];
  for (let firstItem = 0; firstItem < items.length; firstItem += most) {
    const parsed = partOf(clientCall, member, items.slice(firstItem, firstItem + most));
    if (!parsed.ok) return parsed;
    parts.push({ parsed: parsed.value, firstItem });
  }
  return ok(parts);
}

const tooMany = (member: string, most: number): RelayError =>
  requestRefusal(
    `The upstream of this model takes at most ${most} items in one call, and at most ${most * MAX_PARTS} in several; send fewer.`,
    member,
  );

/** Undefined = the member is no list of items, or cannot be read here. */
function itemsOf<O extends Operation>(
  { parsed }: ClientCall<O>,
  member: string,
): readonly unknown[] | undefined {
  const request = parsed.neutral();
  if (!request.ok) return undefined;
  const items = readField(parsed.document, member);
  // One text that was cut into tokens is a list of numbers.
  return Array.isArray(items) && typeof items[0] !== 'number' ? items : undefined;
}

/** The call with some of its items. */
function partOf<O extends Operation>(
  { apiFormat, parsed }: ClientCall<O>,
  member: string,
  items: readonly unknown[],
): Result<CallPart<O>['parsed'], RelayError> {
  const changes = new Map<string, unknown>([[member, items]]);
  const best = parsed.document.members.has('top_n') ? readField(parsed.document, 'top_n') : undefined;
  if (typeof best === 'number' && best > items.length) changes.set('top_n', items.length);
  const body = spliceFields(parsed.document, changes as FieldChanges);
  return apiFormat.parseCall(body, { pathModel: parsed.shape.model, query: '', headers: {} });
}

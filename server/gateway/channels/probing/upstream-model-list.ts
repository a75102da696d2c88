import { fail, ok, type Result } from '../../../common/result.js';
import { fetchBounded } from '../../../infra/http-client/fetch-bounded.js';
import { describeFault } from '../../../infra/http-client/upstream-fault.js';
import { refusal } from '../../../relay-core/model/refusals.js';
import type { RelayError } from '../../../relay-core/model/relay-error.js';
import type { Route } from '../../../relay-core/ports/channel-picker.js';
import type { HttpSender } from '../../../relay-core/ports/http-sender.js';
import { CHANNEL_TYPE_NAMES } from '../../../relay-core/providers/channel-types.js';
import type { Provider } from '../../../relay-core/providers/provider.js';
import { parseJson } from '../../../common/parse-json.js';

/** Model lists of resellers reach a megabyte. */
const LIMITS = { timeoutMs: 15_000, maxBytes: 8 * 1024 * 1024 } as const;
const MAX_MODELS = 10_000;
const MAX_NAME_CHARACTERS = 255;

/**
 * The models an upstream says it has. Only names come back, never the answer itself.
 * Fails: not-implemented when the vendor has no list, upstream-* with a sentence for the operator.
 */
export async function readModelList(
  sender: HttpSender,
  provider: Provider,
  route: Route,
): Promise<Result<readonly string[], RelayError>> {
  const address = provider.modelListAddress(route);
  const operation = provider.operations.chat?.[0] ?? provider.operations.embed?.[0];
  if (address === undefined || operation === undefined) {
    const vendor = CHANNEL_TYPE_NAMES.get(route.channelType) ?? 'The upstream';
    return fail(refusal('models-not-listed', { vendor }));
  }
  if (!address.ok) return address;
  const headers = provider.modelListHeaders(route);
  const request = {
    method: 'GET',
    url: address.value,
    headers,
    body: undefined,
    proxy: route.settings.proxy,
  } as const;
  const reply = await fetchBounded(sender, request, LIMITS);
  if (!reply.ok) {
    const kind = reply.error.kind === 'timeout' ? 'upstream-timeout' : 'upstream-unreachable';
    return fail({ kind, blame: 'upstream', message: describeFault(reply.error), cause: reply.error.cause });
  }
  if (reply.value.status >= 400) return fail(operation.readError(reply.value, route));
  return readNames(provider, reply.value.body);
}

function readNames(provider: Provider, body: Buffer): Result<readonly string[], RelayError> {
  const document = parseJson(body);
  const names = provider.readModelList?.(document) ?? collectNames(document);
  if (names === null) {
    return fail(refusal('no-model-list'));
  }
  return ok([...new Set(names)].slice(0, MAX_MODELS));
}

/** `{data: [{id}]}` as OpenAI has it; a bare list, and `{models: [{name}]}` as Ollama has it, are understood too. */
function collectNames(document: unknown): string[] | null {
  const list = Array.isArray(document)
    ? document
    : (memberOf(document, 'data') ?? memberOf(document, 'models'));
  if (!Array.isArray(list)) return null;
  return list.flatMap((entry: unknown) => {
    const given = memberOf(entry, 'id') ?? memberOf(entry, 'name');
    const name = typeof given === 'string' ? given.replace(/^models\//, '').trim() : '';
    return name === '' || name.length > MAX_NAME_CHARACTERS ? [] : [name];
  });
}

function memberOf(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null && Object.hasOwn(value, name)
    ? (value as Record<string, unknown>)[name]
    : undefined;
}

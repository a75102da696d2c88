import { fail, ok, type Result } from '../../../common/result.js';
import type { ChatRequest } from '../../model/chat.js';
import type { Operation } from '../../model/operation.js';
import type { RelayError } from '../../model/relay-error.js';
import type { Warning } from '../../model/warning.js';
import type { Route } from '../../ports/channel-picker.js';
import type { UpstreamRequest } from '../../ports/http-sender.js';
import type { ProviderOperation } from '../../providers/provider.js';
import type { NeutralRequest, RequestEdits } from '../../wire/wire.js';
import { choosePath, type PathPlan } from '../choose-path.js';
import type { RelayPorts } from '../relay-ports.js';
import type { FrontCall } from './parse-call.js';

/** A call ready to leave for one channel. */
export interface TranslatedCall<O extends Operation> {
  readonly request: UpstreamRequest;
  readonly operation: ProviderOperation<O>;
  readonly plan: PathPlan;
  readonly warnings: readonly Warning[];
}

/** Members an override may not write: they were priced, or they decide how the reply is read (CH-05). */
const FIXED_MEMBERS: ReadonlySet<string> = new Set([
  'model',
  'stream',
  'stream_options',
  'n',
  'service_tier',
]);
/** Caps an override may lower, never raise: the hold covers what the caller asked for. */
const CAPS: ReadonlySet<string> = new Set(['max_tokens', 'max_completion_tokens']);

/**
 * Room 7: the request as this channel's provider wants it.
 * Fails: not-implemented, invalid-request, upstream-unreachable (a base address that cannot be used).
 */
export function translateCall<O extends Operation>(
  ports: Pick<RelayPorts, 'findProvider'>,
  input: {
    readonly front: FrontCall<O>;
    readonly operation: O;
    readonly route: Route;
    readonly affordableCap: number | undefined;
    readonly passThroughRequests: boolean;
  },
): Result<TranslatedCall<O>, RelayError> {
  const { front, route } = input;
  const { shape } = front.parsed;
  const provider = ports.findProvider(route.channelType);
  if (!provider.ok) return provider;
  const operation: ProviderOperation<O> | undefined = provider.value.operations[input.operation];
  if (operation === undefined) {
    return fail({
      kind: 'not-implemented',
      blame: 'caller',
      message: `The upstream of this model (${provider.value.name}) does not support this operation.`,
    });
  }
  const address = operation.address(route);
  if (!address.ok) return address;
  const plan = choosePath({
    frontWire: front.wire.id,
    backWire: operation.wire.id,
    route,
    passThroughRequests: input.passThroughRequests,
  });
  const edits: RequestEdits = {
    upstreamModel: route.upstreamModel,
    reportUsage: shape.stream,
    outputCap: input.affordableCap,
    ...operation.quirks(route),
  };
  const written = writeBody(front, operation, plan, edits, route);
  if (!written.ok) return written;
  const body = plan.overrides ? override(written.value.body, route.paramOverride) : written.value.body;
  const { proxy } = route.settings;
  return ok({
    operation,
    plan,
    warnings: written.value.warnings,
    request: {
      method: 'POST',
      url: address.value,
      headers: operation.headers(route, shape.stream),
      body,
      ...(proxy === undefined || proxy === '' ? {} : { proxy }),
    },
  });
}

function writeBody<O extends Operation>(
  front: FrontCall<O>,
  operation: ProviderOperation<O>,
  plan: PathPlan,
  edits: RequestEdits,
  route: Route,
): Result<{ readonly body: Buffer; readonly warnings: readonly Warning[] }, RelayError> {
  if (plan.request === 'splice') {
    return ok({ body: operation.wire.spliceRequest(front.parsed, edits), warnings: NO_WARNINGS });
  }
  const neutral = front.parsed.neutral();
  if (!neutral.ok) return neutral;
  return ok(operation.wire.writeRequest(withSystemPrompt(neutral.value, route), edits));
}

const NO_WARNINGS: readonly Warning[] = [];

/** The channel's own instructions: before the caller's when it insists, else only when the caller gave none. */
function withSystemPrompt<Request extends NeutralRequest<Operation>>(
  request: Request,
  route: Route,
): Request {
  const { systemPrompt, systemPromptOverride } = route.settings;
  if (systemPrompt === undefined || systemPrompt === '' || !isChat(request)) return request;
  const hasOwn = request.messages.some(({ role }) => role === 'system' || role === 'developer');
  if (hasOwn && systemPromptOverride !== true) return request;
  const message = { role: 'system' as const, content: [{ type: 'text' as const, text: systemPrompt }] };
  return { ...request, messages: [message, ...request.messages] };
}

const isChat = (request: NeutralRequest<Operation>): request is ChatRequest => 'messages' in request;

/** Each key of the channel's override replaces the same top-level member. */
function override(body: Buffer, changes: Route['paramOverride']): Buffer {
  if (changes === undefined) return body;
  const document = JSON.parse(body.toString('utf8')) as Record<string, unknown>;
  for (const [key, value] of Object.entries(changes)) {
    if (FIXED_MEMBERS.has(key)) continue;
    const before = document[key];
    if (CAPS.has(key) && typeof before === 'number' && typeof value === 'number') {
      document[key] = Math.min(before, value);
    } else {
      document[key] = value;
    }
  }
  return Buffer.from(JSON.stringify(document));
}

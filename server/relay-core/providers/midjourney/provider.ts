import type { RelayError } from '../../model/relay-error.js';
import type { SubmitRequest } from '../../model/task.js';
import { documentOf, numberOf, textOf } from '../../formats/shared/fields/json-fields.js';
import { MIDJOURNEY_FORMAT } from '../../formats/midjourney-submit/id.js';
import { midjourneyProxy } from '../../formats/midjourney-submit/index.js';
import { modelOfAction } from '../../formats/midjourney-submit/drawing-kinds.js';
import type { DrawingOptions } from '../../ports/relay-options.js';
import type { Route } from '../../ports/channel-picker.js';
import { bearerHeaders, nativeOperation } from '../shared/native-operations.js';
import { readFailedReply } from '../shared/openai-compatible-error.js';
import type { ChannelType } from '../channel-form.js';
import type { Provider, ProviderOperation } from '../provider.js';
import { readTaskRefusal, type UpstreamKind } from '../shared/task-refusal.js';
import { parseJson } from '../../../common/parse-json.js';
import { secretsOf } from '../shared/channel-secrets.js';

/** Actions a channel is offered for when its list of models is filled. */
const ACTIONS = [
  'IMAGINE',
  'DESCRIBE',
  'BLEND',
  'VARIATION',
  'REROLL',
  'MODAL',
  'ZOOM',
  'SHORTEN',
  'HIGH_VARIATION',
  'LOW_VARIATION',
  'PAN',
  'INPAINT',
  'CUSTOM_ZOOM',
  'UPSCALE',
  'UPLOAD',
  'VIDEO',
  'EDITS',
  'SWAP_FACE',
];

/** Flags of a prompt that choose the mode it is drawn in, and so what the vendor's account pays. */
const MODE_FLAGS = /\s*--(?:fast|relax|turbo)(?![\w-])/gi;

/** The body as the operator's switches let it go on. */
function withSwitches(request: SubmitRequest, options: DrawingOptions): SubmitRequest {
  const body: Record<string, unknown> = { ...request.body };
  if (!options.passesAccountFilter) delete body['accountFilter'];
  if (!options.passesNotifyHook) delete body['notifyHook'];
  const { prompt } = body;
  if (options.clearsModes && typeof prompt === 'string')
    body['prompt'] = prompt.replaceAll(MODE_FLAGS, '').trim();
  return { body };
}

/** Codes of a refusal inside a 200: what it means, and the status it counts as. */
const REFUSALS: ReadonlyMap<number, readonly [UpstreamKind, number]> = new Map([
  // No account at the vendor draws: nothing the caller can change, and no other call will fare better.
  [3, ['upstream-quota-spent', 503]],
  [4, ['upstream-request-rejected', 400]],
  [23, ['upstream-overloaded', 503]],
  [24, ['upstream-request-rejected', 400]],
  [30, ['upstream-rate-limited', 429]],
]);

/** @param status  what it came with; undefined = inside a 200 */
function readRefusal(document: unknown, route: Route, status?: number): RelayError {
  const { code, description } = documentOf(document);
  const number = numberOf(code);
  const [kind, upstreamStatus] = REFUSALS.get(number ?? 0) ?? ['upstream-request-rejected', 400];
  return {
    ...readTaskRefusal(kind, textOf(description), route, status),
    upstreamStatus,
    ...(number === undefined ? {} : { vendorCode: String(number) }),
  };
}

function submitOperation(defaultBaseUrl: string): ProviderOperation<'submit'> {
  const vendor = { defaultBaseUrl, ownPath: DRAWING_PATH };
  const operation = nativeOperation(vendor, midjourneyProxy, ({ shape }) => shape.submission?.path ?? '');
  return {
    ...operation,
    serves: ({ clientFormat }) => clientFormat === MIDJOURNEY_FORMAT,
    headers: ({ route }) => ({
      ...bearerHeaders('', 'application/json'),
      ...(route.credential === '' ? {} : { 'mj-api-secret': route.credential }),
    }),
    adapt: ({ route, options }) => ({
      upstreamModel: route.upstreamModel,
      change: (request) => withSwitches(request, options.drawings),
    }),
    // A refusal with its own status means the same as one inside a 200.
    readError: (reply, route) => {
      const { code } = documentIn(reply.body);
      return typeof code === 'number' && REFUSALS.has(code)
        ? readRefusal(documentIn(reply.body), route, reply.status)
        : readFailedReply(reply, secretsOf(route));
    },
    readErrorDocument: (document, route) => readRefusal(document, route),
  };
}

const documentIn = (body: Buffer): ReturnType<typeof documentOf> => documentOf(parseJson(body));

/** Path endings that a typed base address may have. */
const DRAWING_PATH = /(?:\/mj-[a-z]+)?\/mj(?:\/(?:submit|task|insight-face|image)(?:\/.*)?)?$/;

const provider = (id: string, type: ChannelType, defaultBaseUrl: string): Provider => ({
  id,
  channelTypes: [type],
  operations: { submit: [submitOperation(defaultBaseUrl)] },
  defaultBaseUrl,
  defaultModels: ACTIONS.map(modelOfAction),
  taskPath: DRAWING_PATH,
  // Its models are what it can do, and are the same everywhere.
  modelListAddress: () => undefined,
  modelListHeaders: () => ({}),
});

/** midjourney-proxy: https://github.com/novicezk/midjourney-proxy. */
export const midjourney = provider('midjourney', { code: 2, name: 'Midjourney' }, 'https://oa.api2d.net');
export const midjourneyPlus = provider(
  'midjourney-plus',
  { code: 5, name: 'MidjourneyPlus' },
  'https://api.openai-sb.com',
);

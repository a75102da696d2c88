import { fail, type Result } from '../../../common/result.js';
import { MESSAGES_FORMAT } from '../../formats/anthropic-messages/id.js';
import type { UpstreamFormat } from '../../formats/contract/api-format.js';
import { GENERATE_FORMAT } from '../../formats/gemini-generate/id.js';
import { openaiResponses } from '../../formats/openai-responses/index.js';
import { refusal } from '../../model/refusals.js';
import type { RelayError } from '../../model/relay-error.js';
import type { Route } from '../../ports/channel-picker.js';
import { messagesOperation } from '../anthropic/operations.js';
import { generateOperations } from '../gemini/operations.js';
import type { ProviderCall, ProviderOperation } from '../provider.js';
import { presetOf } from '../presets/presets.js';
import { readBase, withoutOwnPath } from '../shared/base-address.js';
import { CONSERVATIVE } from '../shared/default-descriptions.js';
import { joinAddress } from '../shared/upstream-address.js';
import { byModel } from './undescribed.js';

/** Members of a channel's `settings` with the path of another API at the channel's address. */
export const PATH_MEMBERS = ['responses_path', 'messages_path', 'gemini_path'] as const;
type PathMember = (typeof PATH_MEMBERS)[number];

/** Version of an API and the prefixes in front of it. */
export const OPENAI_TAIL = /(?:\/api(?:\/coding)?\/paas)?\/(?:v\d+[a-z0-9]*|beta)$/i;

type BuildChat = (path: string, apiFormat: UpstreamFormat<'chat'>) => ProviderOperation<'chat'>;

/**
 * Operations at the paths that a channel names beside its chat endpoint, each only for callers of its own API: they come before the
 * provider's own, and calls of other APIs are served as before.
 */
export function namedFormats(defaultBaseUrl: string, build: BuildChat): readonly ProviderOperation<'chat'>[] {
  const addressOf = (route: Route, member: PathMember, tail = ''): Result<string, RelayError> => {
    const { root } = readBase(route.baseUrl === '' ? defaultBaseUrl : route.baseUrl);
    if (root === '') return fail(refusal('base-missing'));
    return joinAddress(withoutOwnPath(root, OPENAI_TAIL), `${pathOf(route, member) ?? ''}${tail}`);
  };
  const serves = (call: ProviderCall, member: PathMember, format: string): boolean =>
    call.clientFormat === format && pathOf(call.route, member) !== undefined;
  const isGemini = (call: ProviderCall): boolean => serves(call, 'gemini_path', GENERATE_FORMAT);
  return [
    {
      ...build('/v1/responses', openaiResponses),
      serves: (call) => serves(call, 'responses_path', openaiResponses.id),
      address: ({ route }) => addressOf(route, 'responses_path'),
      describe: ({ route }) => byModel(CONSERVATIVE, route.upstreamModel),
    },
    messagesOperation({
      address: (route) => addressOf(route, 'messages_path'),
      key: 'both',
      isClaude: false,
      counts: false,
      serves: (call) => serves(call, 'messages_path', MESSAGES_FORMAT),
      describe: ({ route }) => {
        const description = byModel(CONSERVATIVE, route.upstreamModel);
        const messagesTools = presetOf(route)?.messagesTools;
        return messagesTools === undefined ? description : { ...description, messagesTools };
      },
    }),
    ...generateOperations(
      {
        address: ({ route }, tail) =>
          addressOf(route, 'gemini_path', `/models/${encodeURIComponent(route.upstreamModel)}:${tail}`),
        headers: geminiHeaders,
      },
      true,
      isGemini,
    ),
  ];
}

/** Undefined = the channel names none. */
function pathOf({ settings }: Route, member: PathMember): string | undefined {
  const path = settings.vendor?.[member];
  return typeof path === 'string' && path !== '' ? path : undefined;
}

const geminiHeaders = ({ route, shape }: ProviderCall): Readonly<Record<string, string>> => ({
  'content-type': 'application/json',
  accept: shape.stream && shape.streamForm !== 'json-array' ? 'text/event-stream' : 'application/json',
  'user-agent': 'tollgate',
  ...(route.credential === '' ? {} : { 'x-goog-api-key': route.credential }),
});

import type { Route } from '../../ports/channel-picker.js';

/** A version, where addresses of APIs keep theirs: `…/v1`, `…/api/paas/v4`, `…/v1beta/openai`. */
const VERSION_AT_END = /(?<!\/)\/v\d+[a-z0-9]*(?:\/openai)?$/i;
/** A deployment of Azure's, or of a proxy in its manner. */
const DEPLOYMENT_AT_END = /\/deployments\/[^/]+$/;
const CLOUDFLARE_GATEWAY = 'https://gateway.ai.cloudflare.com';

const TASKS = [
  'completions',
  'embeddings',
  'embed',
  'responses',
  'messages',
  'messages/count_tokens',
  'moderations',
  'images/(?:generations|edits|variations)',
  'audio/(?:speech|transcriptions|translations)',
  'realtime',
  'rerank',
  'chat',
  'chat-messages',
  'completion-messages',
  'workflows/run',
  'text/chatcompletion_v2',
  'models(?:/[^/]+(?::[a-z]+)?)?',
  'services/.+',
  'tasks',
];
/** A task, behind what the paths of tasks begin with. */
const TASK_AT_END = new RegExp(
  `(?<=/v\\d+[a-z0-9]*(?:/openai)?|/openai|/deployments/[^/]+)/(?:${TASKS.join('|')})$`,
  'i',
);
/** So well known that it needs no version before it. */
const CHAT_AT_END = /(?:\/bots)?\/chat\/completions$/i;

/** A base address as a channel has it, read for joining paths to it. */
export interface BaseAddress {
  /** Without a task path copied along with it, and without a trailing slash. */
  readonly root: string;
  /** Tasks follow at once: it has the version, or whatever else stands there instead. */
  readonly isComplete: boolean;
}

/**
 * Operators paste what vendors and clients show them: the base, the base with its version, or the whole address of a call. All of
 * them are the same base.
 */
export function readBase(baseUrl: string): BaseAddress {
  const typed = baseUrl.trim().replace(/\/+$/, '');
  const isChat = CHAT_AT_END.test(typed);
  const root = isChat ? typed.replace(CHAT_AT_END, '') : typed.replace(TASK_AT_END, '');
  const isComplete =
    isChat ||
    VERSION_AT_END.test(root) ||
    DEPLOYMENT_AT_END.test(root) ||
    root.startsWith(CLOUDFLARE_GATEWAY);
  return { root, isComplete };
}

/** A base address without what was typed of the paths a vendor's addresses begin with. @param own  matched in the path alone */
export function withoutOwnPath(baseUrl: string, own: RegExp): string {
  const typed = baseUrl.trim().replace(/\/+$/, '');
  const host = /^[a-z]+:\/\/[^/]*/i.exec(typed)?.[0] ?? '';
  return host + typed.slice(host.length).replace(own, '');
}

/** Addresses whose hosts are kept at a time; beyond it all are read again. Installations with more channels parse now and then. */
const MAX_HOSTS = 2_048;
const hosts = new Map<string, string | undefined>();

/** Host of a channel's own address; undefined = it names none. Calls ask several times each, so hosts are kept by address. */
export function hostOf({ baseUrl }: Pick<Route, 'baseUrl'>): string | undefined {
  const kept = hosts.get(baseUrl);
  if (kept !== undefined || hosts.has(baseUrl)) return kept;
  const host = URL.canParse(baseUrl) ? new URL(baseUrl).hostname : undefined;
  if (hosts.size >= MAX_HOSTS) hosts.clear();
  hosts.set(baseUrl, host);
  return host;
}

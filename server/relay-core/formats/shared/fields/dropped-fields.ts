import { requestRefusal } from '../../../model/refusals.js';
import type { ChatRequest, Message } from '../../../model/chat.js';
import type { ContentPart } from '../../../model/content.js';
import type { ImageRequest } from '../../../model/image.js';
import type { RelayError } from '../../../model/relay-error.js';
import type { Tool } from '../../../model/tool.js';
import type { VendorOptions } from '../../../model/vendor-options.js';
import type { Warning } from '../../../model/warning.js';
import { documentOf } from './json-fields.js';

/** Longest name of a field that is repeated: names are the caller's. */
const MAX_NAME_LENGTH = 64;

export const HIDDEN_THOUGHTS: Warning = {
  setting: 'messages',
  reason: 'thoughts that only their vendor can read were left out',
};

/** A warning for a field only another format knows. */
export const otherFormatField = (name: string, apiFormat: string): Warning => ({
  setting: name.slice(0, MAX_NAME_LENGTH),
  reason: `only the ${apiFormat} format knows it`,
});

/** A warning for a tool, a choice or a part that only another format has a form for. */
export const otherFormatValue = (
  setting: string,
  what: 'tool' | 'choice' | 'part',
  { apiFormat }: { readonly apiFormat: string },
): Warning => ({ setting, reason: `a ${what} only the ${apiFormat} format knows was left out` });

/** For formats whose only tools are functions. */
export const lostTool = (tool: Exclude<Tool, { type: 'function' }>): Warning =>
  tool.type === 'vendor'
    ? otherFormatValue('tools', 'tool', tool)
    : { setting: 'tools', reason: 'a tool this upstream does not have was left out' };

/** Warnings for fields only other formats know, each by its name. */
export function warnOfOtherFormatFields(
  options: VendorOptions | undefined,
  ownFormat: string,
  warnings: Warning[],
): void {
  for (const [apiFormat, fields] of Object.entries(options ?? {})) {
    if (apiFormat === ownFormat) continue;
    for (const name of Object.keys(fields)) warnings.push(otherFormatField(name, apiFormat));
  }
}

/** Warnings for settings that were given and have no counterpart. */
export function warnOfUnsupported(
  settings: Readonly<Record<string, unknown>>,
  vendor: string,
  warnings: Warning[],
): void {
  for (const [setting, value] of Object.entries(settings)) {
    if (value !== undefined) warnings.push({ setting, reason: `${vendor} has no such setting` });
  }
}

/** For formats that give one answer: fewer answers than requested is another meaning, not a lost setting. */
export function refuseSeveralChoices(request: Pick<ChatRequest, 'choices'>): RelayError | undefined {
  if (request.choices <= 1) return undefined;
  return requestRefusal('The upstream of this model gives one answer per call; ask for one (n = 1).', 'n');
}

/**
 * Content that would be missing from the question is refused, never left out: the answer would be to another question.
 * Earlier answers of models are not the caller's to change, so what they hold beside words is left to the writers.
 * @param takes  whether a part can be written
 */
export function refuseContent(
  { messages }: Pick<ChatRequest, 'messages'>,
  takes: (part: ContentPart, message: Message) => boolean,
): RelayError | undefined {
  for (const message of messages) {
    if (message.role === 'assistant') continue;
    for (const part of message.content) {
      if (takes(part, message)) continue;
      const where = message.role === 'tool' ? 'in the result of a tool' : 'here';
      const kind = part.type === 'vendor' ? kindOfVendorPart(part.value) : part.type;
      return requestRefusal(
        `The upstream of this model takes no ${kind} ${where}${formOf(part)}.`,
        'messages',
      );
    }
  }
  return undefined;
}

/** Media kept at a vendor, by an id that means nothing to another one. */
export const isStoredElsewhere = (part: ContentPart): boolean =>
  'source' in part && 'kind' in part.source && part.source.kind === 'vendor-file';

function kindOfVendorPart(value: unknown): string {
  const { type } = documentOf(value);
  return typeof type === 'string' ? `part of type '${type.slice(0, MAX_NAME_LENGTH)}'` : 'part of this kind';
}

/** Kinds of media are often taken in one form only. */
function formOf(part: ContentPart): string {
  if (!('source' in part) || !('kind' in part.source)) return '';
  if (part.source.kind === 'base64') return ' given by its bytes';
  return part.source.kind === 'url' ? ' given by its address' : ' given by the id of a file';
}

const TEXT_PARTS: ReadonlySet<ContentPart['type']> = new Set([
  'text',
  'refusal',
  'tool-call',
  'reasoning',
  'source',
]);

/** A setting that a format may lack though another has it: how it is found in a request, and its warning. */
const LOSSES = {
  detail: {
    setting: 'detail',
    reason: 'how closely a picture is looked at cannot be set',
    isIn: (request: ChatRequest) =>
      somePart(request, (part) => part.type === 'image' && part.detail !== undefined),
  },
  strict: {
    setting: 'strict',
    reason: 'arguments of tools cannot be bound to their schema',
    isIn: (request: ChatRequest) =>
      request.tools?.some((tool) => tool.type === 'function' && tool.isStrict === true) === true,
  },
  failed: {
    setting: 'is_error',
    reason: 'the upstream has no mark of a failed tool; its result shows the failure',
    isIn: (request: ChatRequest) =>
      request.messages.some((message) => message.role === 'tool' && message.isError === true),
  },
  cache: {
    setting: 'cache_control',
    reason: 'this upstream keeps no prompts where it is asked to',
    isIn: (request: ChatRequest) =>
      somePart(request, (part) => part.type !== 'vendor' && part.cache !== undefined) ||
      request.messages.some((message) => message.role === 'tool' && message.cache !== undefined) ||
      request.tools?.some((tool) => tool.type === 'function' && tool.cache !== undefined) === true,
  },
  thoughts: {
    setting: 'reasoning',
    reason: 'thoughts of earlier turns were left out',
    isIn: (request: ChatRequest) => somePart(request, (part) => part.type === 'reasoning'),
  },
  'beside-words': {
    setting: 'messages',
    reason: 'what earlier answers hold beside words and calls was left out',
    isIn: (request: ChatRequest) =>
      request.messages.some(
        ({ role, content }) => role === 'assistant' && content.some(({ type }) => !TEXT_PARTS.has(type)),
      ),
  },
  display: {
    setting: 'reasoning',
    reason: 'whether thoughts are shown cannot be set',
    isIn: ({ reasoning }: ChatRequest) => reasoning?.summary !== undefined && reasoning.summary !== 'none',
  },
  user: {
    setting: 'user',
    reason: 'this upstream takes no end user',
    isIn: (request: ChatRequest) => request.user !== undefined,
  },
  answers: {
    setting: 'n',
    reason: 'this upstream gives one answer per call',
    isIn: (request: ChatRequest) => request.choices > 1,
  },
  'json-answers': {
    setting: 'response_format',
    reason: 'answers are bound to JSON by a schema only',
    isIn: (request: ChatRequest) => request.responseFormat?.type === 'json',
  },
} as const;

/** Warnings for what a request holds and a format has no words for. */
export function warnOfLost(
  request: ChatRequest,
  losses: readonly (keyof typeof LOSSES)[],
  warnings: Warning[],
): void {
  for (const name of losses) {
    const { setting, reason, isIn } = LOSSES[name];
    if (isIn(request)) warnings.push({ setting, reason });
  }
}

const thoughtsIn = ({ messages }: ChatRequest): number =>
  messages.reduce((sum, { content }) => sum + content.filter(({ type }) => type === 'reasoning').length, 0);

/** Settings that a request lost when it was fitted to a vendor, before its writer saw it. */
export function lostInFitting(before: ChatRequest, after: ChatRequest): readonly Warning[] {
  const { thoughts, cache } = LOSSES;
  return [
    ...(asksForReasoning(before) && !asksForReasoning(after) ? [LOST_REASONING] : []),
    ...(thoughtsIn(after) < thoughtsIn(before) ? [thoughts] : []),
    ...(cache.isIn(before) && !cache.isIn(after) ? [cache] : []),
  ].map(({ setting, reason }) => ({ setting, reason }));
}

const LOST_REASONING = { setting: 'reasoning_effort', reason: 'how this model reasons cannot be set here' };

/** Members for reasoning at vendors of the chat format. */
const REASONING_MEMBERS = ['thinking', 'reasoning', 'reasoning_effort', 'enable_thinking', 'prompt_mode'];

function asksForReasoning({ reasoning, vendorOptions }: ChatRequest): boolean {
  const own = vendorOptions?.['openai-chat'];
  return (
    reasoning?.effort !== undefined ||
    reasoning?.budgetTokens !== undefined ||
    reasoning?.isDynamic === true ||
    REASONING_MEMBERS.some((name) => own?.[name] !== undefined)
  );
}

/** Settings of an image request by the names that callers use; those that a vendor has as members of its own are not lost. */
const IMAGE_SETTINGS = {
  size: ['image_size'],
  quality: [],
  style: [],
  background: [],
  mask: [],
} as const satisfies Partial<Record<keyof ImageRequest, readonly string[]>>;

/** Warnings for settings that an image request lost when it was fitted to a vendor, before its writer saw it. */
export function lostInImages(before: ImageRequest, after: ImageRequest): readonly Warning[] {
  const members = new Set(Object.values(after.vendorOptions ?? {}).flatMap((own) => Object.keys(own)));
  return (Object.keys(IMAGE_SETTINGS) as (keyof typeof IMAGE_SETTINGS)[])
    .filter((name) => before[name] !== undefined && after[name] === undefined)
    .filter((name) => !IMAGE_SETTINGS[name].some((own) => members.has(own)))
    .map((setting) => ({ setting, reason: 'this vendor has no such setting' }));
}

const somePart = (request: ChatRequest, isIt: (part: ContentPart) => boolean): boolean =>
  request.messages.some((message: Message) => message.content.some(isIt));

/** A bot or an application has its model and its settings to itself: names what a caller set of them, and what its messages lose. */
export function warnOfModelSettings(request: ChatRequest, vendor: string, warnings: Warning[]): void {
  warnOfUnsupported(
    {
      tools: request.tools,
      temperature: request.temperature,
      top_p: request.topP,
      max_tokens: request.maxOutputTokens,
      stop: request.stop,
      response_format: request.responseFormat?.type === 'text' ? undefined : request.responseFormat,
      reasoning_effort: request.reasoning,
      top_k: request.topK,
      seed: request.seed,
      frequency_penalty: request.frequencyPenalty,
      presence_penalty: request.presencePenalty,
      tool_choice: request.toolChoice,
      parallel_tool_calls: request.parallelToolCalls,
    },
    vendor,
    warnings,
  );
  warnOfLost(request, ['detail', 'strict', 'cache', 'failed', 'thoughts', 'display', 'answers'], warnings);
}

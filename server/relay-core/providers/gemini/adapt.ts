import type { ChatRequest, ReasoningRequest } from '../../model/chat.js';
import type { VendorOptions } from '../../model/vendor-options.js';
import { clampBudget, familyOf, GENERATE_FORMAT } from '../../formats/gemini-generate/index.js';
import { documentOf, listOf, textOf, type Document } from '../../formats/shared/fields/json-fields.js';
import { camelFields } from '../../formats/shared/fields/proto-names.js';
import type { ModelAdaptation, ProviderCall } from '../provider.js';

const CHAT_FORMAT = 'openai-chat';

/** Thinking settings in a model name's suffix. */
type Suffix =
  | { readonly kind: 'budget'; readonly budget: number }
  | { readonly kind: 'thinking' | 'nothinking' }
  | { readonly kind: 'effort'; readonly effort: string };

const EFFORTS = 'minimal|low|medium|high';
const SUFFIX = new RegExp(`^(.+?)-(?:thinking-(\\d{1,6})|(thinking)|(nothinking)|(${EFFORTS}))$`);

function readSuffix(model: string): { readonly model: string; readonly suffix: Suffix } | undefined {
  const match = SUFFIX.exec(model);
  if (match === null) return undefined;
  const [, name = '', budget, thinking, nothinking, effort] = match;
  if (budget !== undefined) return { model: name, suffix: { kind: 'budget', budget: Number(budget) } };
  if (effort !== undefined) return { model: name, suffix: { kind: 'effort', effort } };
  if (nothinking !== undefined) return { model: name, suffix: { kind: 'nothinking' } };
  return thinking === undefined ? undefined : { model: name, suffix: { kind: 'thinking' } };
}

/**
 * Adapts a chat call to Gemini: thinking suffixes where the operator switched them on, and, for callers of other
 * formats, the operator's safety settings, images from image models and the extras of OpenAI's clients.
 */
export function adaptGemini(call: ProviderCall): ModelAdaptation<'chat'> | undefined {
  const { route, options, clientFormat } = call;
  const read = options.gemini.isThinkingAdapterOn ? readSuffix(route.upstreamModel) : undefined;
  const upstreamModel = read?.model ?? route.upstreamModel;
  const isNative = clientFormat === GENERATE_FORMAT;
  if (isNative && read === undefined) return undefined;
  return {
    upstreamModel,
    change: (request) => {
      const asked = read === undefined ? request : withSuffix(request, upstreamModel, read.suffix, call);
      return isNative ? asked : withGoogleSettings(asked, upstreamModel, call);
    },
  };
}

/** Shares of the model's largest budget where the request has no cap. */
const SHARES: ReadonlyMap<string, number> = new Map([
  ['high', 0.8],
  ['medium', 0.5],
  ['low', 0.2],
  ['minimal', 0.05],
]);

/** The body's own wish wins over the name's. */
function withSuffix(request: ChatRequest, model: string, suffix: Suffix, call: ProviderCall): ChatRequest {
  const asked = request.reasoning;
  if (asked?.budgetTokens !== undefined || asked?.isDynamic === true) return request;
  if (suffix.kind !== 'thinking' && asked?.effort !== undefined) return request;
  const reasoning = reasoningOf(suffix, request, model, call);
  return {
    ...request,
    reasoning: { ...(asked?.summary === undefined ? {} : { summary: asked.summary }), ...reasoning },
  };
}

function reasoningOf(
  suffix: Suffix,
  request: ChatRequest,
  model: string,
  call: ProviderCall,
): ReasoningRequest {
  switch (suffix.kind) {
    case 'budget':
      return { budgetTokens: suffix.budget, summary: 'auto' };
    case 'nothinking':
      return { budgetTokens: 0 };
    case 'effort':
      return { effort: suffix.effort, summary: 'auto' };
    case 'thinking': {
      const { maxOutputTokens } = request;
      const share = SHARES.get(request.reasoning?.effort ?? '') ?? 1;
      const budget =
        maxOutputTokens === undefined
          ? familyOf(model).max * share
          : maxOutputTokens * call.options.gemini.thinkingBudgetShare;
      return { budgetTokens: Math.max(1, clampBudget(model, Math.floor(budget))), summary: 'auto' };
    }
  }
}

const CATEGORIES = [
  'HARM_CATEGORY_HARASSMENT',
  'HARM_CATEGORY_HATE_SPEECH',
  'HARM_CATEGORY_SEXUALLY_EXPLICIT',
  'HARM_CATEGORY_DANGEROUS_CONTENT',
] as const;
const DEFAULT_THRESHOLD = 'OFF';

/** Models that answer with images besides those the operator names. */
const IMAGE_MODEL = /^gemini-[\w.-]*-image(-preview)?$/;

function withGoogleSettings(request: ChatRequest, model: string, call: ProviderCall): ChatRequest {
  const { gemini } = call.options;
  const extras = readChatExtras(request.vendorOptions?.[CHAT_FORMAT] ?? {});
  const own = documentOf(request.vendorOptions?.[GENERATE_FORMAT]);
  const makesPictures = gemini.imageModels.includes(model) || IMAGE_MODEL.test(model);
  const generationConfig = {
    ...(makesPictures ? { responseModalities: ['TEXT', 'IMAGE'] } : {}),
    ...extras.config,
    ...documentOf(own['generationConfig']),
  };
  const { [GENERATE_FORMAT]: _own, [CHAT_FORMAT]: _chat, ...foreign } = request.vendorOptions ?? {};
  const vendorOptions: VendorOptions = {
    ...foreign,
    ...(Object.keys(extras.rest).length === 0 ? {} : { [CHAT_FORMAT]: extras.rest }),
    [GENERATE_FORMAT]: {
      safetySettings: CATEGORIES.map((category) => ({
        category,
        threshold: gemini.safetySettings[category] ?? gemini.safetySettings['default'] ?? DEFAULT_THRESHOLD,
      })),
      ...extras.body,
      ...own,
      ...(Object.keys(generationConfig).length === 0 ? {} : { generationConfig }),
    },
  };
  const reasoning = extras.thinking ?? request.reasoning;
  return { ...request, vendorOptions, ...(reasoning === undefined ? {} : { reasoning }) };
}

interface ChatExtras {
  /** Members of OpenAI's grammar that have no counterpart here. */
  readonly rest: Document;
  readonly config: Record<string, unknown>;
  readonly body: Record<string, unknown>;
  readonly thinking: ReasoningRequest | undefined;
}

/** Members of OpenAI's grammar Google has a word for, and Google's own extension of it: `extra_body.google`. */
function readChatExtras(options: Document): ChatExtras {
  const { extra_body: extraBody, google: direct, modalities, logprobs, top_logprobs, ...rest } = options;
  const google = camelFields({ ...documentOf(direct), ...documentOf(documentOf(extraBody)['google']) });
  const config: Record<string, unknown> = {};
  const wanted = listOf(modalities).filter((one) => typeof one === 'string');
  if (wanted.some((one) => one !== 'text')) {
    config['responseModalities'] = wanted.map((one) => one.toUpperCase());
  }
  if (logprobs === true) config['responseLogprobs'] = true;
  if (typeof top_logprobs === 'number') config['logprobs'] = top_logprobs;
  const image = camelFields(documentOf(google['imageConfig']));
  if (Object.keys(image).length > 0) config['imageConfig'] = image;
  const cachedContent = textOf(google['cachedContent']);
  const safetySettings = listOf(google['safetySettings']);
  return {
    rest,
    config,
    body: {
      ...(cachedContent === undefined ? {} : { cachedContent }),
      ...(safetySettings.length === 0 ? {} : { safetySettings }),
    },
    thinking: readThinkingExtra(google['thinkingConfig']),
  };
}

function readThinkingExtra(value: unknown): ReasoningRequest | undefined {
  const config = camelFields(documentOf(value));
  if (Object.keys(config).length === 0) return undefined;
  const { thinkingBudget: budget, thinkingLevel: level, includeThoughts: shows } = config;
  return {
    ...(typeof budget === 'number' && budget >= 0 ? { budgetTokens: Math.floor(budget) } : {}),
    ...(typeof budget === 'number' && budget < 0 ? { isDynamic: true } : {}),
    ...(typeof level === 'string' ? { effort: level.toLowerCase() } : {}),
    ...(typeof shows === 'boolean' ? { summary: shows ? ('auto' as const) : ('none' as const) } : {}),
  };
}

import { effortOf } from '../../../formats/shared/fields/reasoning-effort.js';
import type { ImageRequest } from '../../../model/image.js';
import { OTHER_CHATS, PLAIN_MESSAGES_TOOLS } from '../../shared/default-descriptions.js';
import { names } from '../../shared/model-names.js';
import { withFields } from '../chat-edits.js';
import type { CompatibleProfile } from '../compatible-profile.js';
import { pictureAddress, withImageFields } from '../media-operations.js';
import { type SuffixRule, withEffort } from '../model-suffixes.js';
import { dropped, type ReasoningEdit, upTo, written } from '../reasoning-edits.js';
import { asksForSearch, withSearchTools } from './xai-search.js';

/** Models that refuse an effort: their names fix how they reason, or they always do. */
const FIXED_GROK = /reasoning|^grok-(?:2|3(?!-mini)|4-0|code|build|composer)/i;
const isFixedGrok = (model: string): boolean => FIXED_GROK.test(model);

const STOPS_AND_PENALTIES = ['stop', 'presence_penalty', 'frequency_penalty'] as const;

/** Members that models which reason refuse: "Argument not supported on this model". */
const refusedByGrok = (model: string): readonly string[] =>
  /^grok-(?:3-mini|[4-9]|code)/i.test(model) && !/non-reasoning/i.test(model) ? STOPS_AND_PENALTIES : [];

/** The same at its Responses endpoint, where the effort has its own place. */
const xaiResponsesReasoning: ReasoningEdit = (request, model) => {
  const { reasoning, ...rest } = request;
  const effort = effortOf(reasoning);
  if (reasoning === undefined || effort === undefined) return request;
  const { summary } = reasoning;
  const shown = summary === undefined ? {} : { summary };
  if (isFixedGrok(model)) return { ...rest, ...(summary === undefined ? {} : { reasoning: shown }) };
  return { ...rest, reasoning: { ...shown, effort: upTo(effort === 'minimal' ? 'low' : effort, 'high') } };
};

const xaiReasoning: ReasoningEdit = (request, model) => {
  const effort = effortOf(request.reasoning);
  const isFixed = isFixedGrok(model);
  if (effort === undefined || isFixed) return dropped(request);
  if (effort === 'none') return written(request, /^grok-3/i.test(model) ? {} : { reasoning_effort: 'none' });
  if (/^grok-3/i.test(model))
    return written(request, { reasoning_effort: effort === 'low' || effort === 'minimal' ? 'low' : 'high' });
  return written(request, { reasoning_effort: upTo(effort === 'minimal' ? 'low' : effort, 'high') });
};

/** `grok-3-mini-high`, `…-search`. */
const xaiSuffix: SuffixRule = (model) => {
  const [, name, effort] = /^(grok-3-mini)-(high|low)$/.exec(model) ?? [];
  if (name !== undefined && effort !== undefined)
    return { upstreamModel: name, change: (request) => withEffort(request, effort) };
  const searched = /^(grok-.+)-search$/.exec(model)?.[1];
  return searched === undefined
    ? undefined
    : {
        upstreamModel: searched,
        change: (request) => withFields(request, { search_parameters: { mode: 'on' } }),
      };
};

/**
 * Size and quality are refused; an image is an object with its address, several have a member of their own:
 * https://github.com/ddcat-ai/open-ai-canvas/pull/167 (read 2026-11-29).
 */
function xaiImages(request: ImageRequest): ImageRequest {
  const { size: _size, quality: _quality, style: _style, ...rest } = request;
  const images = request.images.map((source) => ({ url: pictureAddress(source) }));
  if (images.length > 1) return withImageFields(rest, { images });
  return withImageFields(rest, images.length === 0 ? {} : { image: images[0] });
}

/** Tools of its Responses endpoint: https://docs.x.ai/docs/guides/tools (read 2026-11-28). */
const RESPONSES_TOOLS: ReadonlySet<string> = new Set([
  'web_search',
  'x_search',
  'code_interpreter',
  'code_execution',
  'file_search',
  'collections_search',
  'mcp',
]);

/** xAI: the Grok models. */
export const xai: CompatibleProfile = {
  id: 'xai',
  channelTypes: [
    { code: 48, name: 'xAI', telemetryName: 'x_ai', form: { keyExample: 'xai-…', keyPrefixes: ['xai-'] } },
  ],
  defaultBaseUrl: 'https://api.x.ai',
  paths: { chat: '/v1/chat/completions', models: '/v1/models' },
  realtime: true,
  defaultModels: names(`
    grok-4-1-fast-reasoning grok-4-1-fast-non-reasoning grok-4-fast-reasoning
    grok-4-fast-non-reasoning grok-code-fast-1 grok-4-0709 grok-3 grok-3-mini grok-3-mini-high
    grok-3-mini-low grok-2-vision-1212 grok-imagine-image grok-2-image-1212
  `),
  description: {
    source: {
      links: [
        'https://grok-api.apidog.io/chat-15796842e0',
        'https://github.com/BerriAI/litellm/issues/12635',
        'https://github.com/huggingface/smolagents/pull/1766',
        'https://github.com/langchain-ai/langchain/issues/34140',
        'https://github.com/AstrBotDevs/AstrBot/issues/6447',
        'https://github.com/Wei-Shaw/sub2api/pull/5160',
        'https://github.com/cline/cline/pull/5278',
        'https://github.com/lidge-jun/opencodex/issues/122',
        'https://github.com/NousResearch/hermes-agent/issues/95003',
        'https://github.com/can1357/oh-my-pi/issues/7970',
        'https://github.com/NousResearch/hermes-agent/pull/23435',
        'https://github.com/router-for-me/CLIProxyAPI/pull/3968',
      ],
      read: '2026-11-29',
      restsOn:
        'a mirror of the vendor’s pages; it takes `system` anywhere, newer pages ask for one at the head',
    },
    instructions: { developer: false, place: 'head' },
    cap: 'either',
    user: { max: 64 },
    reasoning: ['reasoning_effort'],
    efforts: { lowest: 'low', highest: 'high', fixed: FIXED_GROK },
    // "Each message must have at least one content element"
    chats: { ...OTHER_CHATS, needsText: true },
    // "Downloaded response does not contain a valid JPG or PNG image."
    images: { types: new Set(['image/jpeg', 'image/jpg', 'image/png']) },
    // "The function name tool_search is reserved for the tool_search tool"
    reservedToolNames: new Set(['web_search', 'tool_search']),
    messagesTools: PLAIN_MESSAGES_TOOLS,
    responsesTools: { types: RESPONSES_TOOLS },
  },
  chat: {
    history: 'none',
    toolSearch: { asks: asksForSearch, edit: withSearchTools },
    reasoning: xaiReasoning,
    refusedBy: refusedByGrok,
    responsesReasoning: xaiResponsesReasoning,
    suffix: xaiSuffix,
    editedMembers: ['reasoning_effort'],
    responsesPath: '/v1/responses',
    prefersResponses: true,
  },
  media: {
    generate: '/v1/images/generations',
    edit: '/v1/images/edits',
    editsInJson: true,
    changeImages: xaiImages,
  },
  messages: { path: '/v1/messages' },
};

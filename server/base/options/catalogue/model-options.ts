import { modelHeaderMap, nameList, safetyMap, tokenCountMap, versionMap } from '../option-documents.js';
import { decimal, flag, integer, json } from '../option-kinds.js';

/** Requests to providers: thinking, safety, versions. Keep-alive of streams: pings. */
export const MODEL_OPTIONS = {
  'global.pass_through_request_enabled': flag(false, {
    tab: 'models',
    heading: 'stream',
    section: 'models',
    class: 'security',
    help: 'Send request bodies upstream unchanged.',
  }),
  'global.thinking_model_blacklist': json<readonly string[]>(
    ['kimi-k2-thinking', 'moonshotai/kimi-k2-thinking'],
    nameList,
    'a JSON list of model names',
    { tab: 'none', section: 'models', help: 'Models whose -thinking ending belongs to their name.' },
  ),
  'general_setting.ping_interval_enabled': flag(false, {
    tab: 'models',
    heading: 'stream',
    section: 'models',
    help: 'Keep streams alive with pings.',
  }),
  'general_setting.ping_interval_seconds': integer(
    60,
    { min: 1, max: 3_600 },
    { tab: 'models', heading: 'stream', section: 'models', help: 'Seconds between pings.' },
  ),
  'gemini.safety_settings': json<Readonly<Record<string, string>>>(
    { default: 'OFF', HARM_CATEGORY_CIVIC_INTEGRITY: 'BLOCK_NONE' },
    safetyMap,
    'a JSON object of categories to OFF, BLOCK_NONE, BLOCK_ONLY_HIGH, BLOCK_MEDIUM_AND_ABOVE or BLOCK_LOW_AND_ABOVE',
    { tab: 'models', heading: 'gemini', section: 'models', help: 'Safety thresholds sent to Gemini.' },
  ),
  'gemini.version_settings': json<Readonly<Record<string, string>>>(
    { default: 'v1beta', 'gemini-1.0-pro': 'v1' },
    versionMap,
    'a JSON object of models to API versions',
    { tab: 'models', heading: 'gemini', section: 'models', help: 'API version per Gemini model.' },
  ),
  'gemini.supported_imagine_models': json<readonly string[]>(
    [
      'gemini-2.0-flash-exp-image-generation',
      'gemini-2.0-flash-exp',
      'gemini-2.5-flash-image',
      'gemini-3-pro-image',
      'gemini-3-pro-image-preview',
      'gemini-3.1-flash-image',
      'gemini-3.1-flash-image-preview',
    ],
    nameList,
    'a JSON list of model names',
    { tab: 'models', heading: 'gemini', section: 'models', help: 'Gemini models that draw.' },
  ),
  'gemini.thinking_adapter_enabled': flag(false, {
    tab: 'models',
    heading: 'gemini',
    section: 'models',
    help: 'Model names ending in -thinking switch thinking on for Gemini.',
  }),
  'gemini.thinking_adapter_budget_tokens_percentage': decimal(
    0.6,
    { min: 0.1, max: 1 },
    {
      tab: 'models',
      heading: 'gemini',
      section: 'models',
      help: 'Share of the output limit given to thinking (Gemini).',
    },
  ),
  'gemini.function_call_thought_signature_enabled': flag(true, {
    tab: 'none',
    section: 'models',
    help: 'Function calls that come back without their thought signature get a stand-in (Gemini 3 refuses them otherwise).',
  }),
  'gemini.remove_function_response_id_enabled': flag(true, {
    tab: 'none',
    section: 'models',
    help: 'Leave the ids of function responses out (Vertex AI refuses them).',
  }),
  'claude.model_headers_settings': json({}, modelHeaderMap, 'a JSON object of models to {header: [values]}', {
    tab: 'models',
    heading: 'claude',
    section: 'models',
    help: 'Headers sent to Anthropic per model.',
  }),
  'claude.default_max_tokens': json<Readonly<Record<string, number>>>(
    {},
    tokenCountMap,
    'a JSON object of models to token counts',
    {
      tab: 'models',
      heading: 'claude',
      section: 'models',
      help: 'Output limit sent to Anthropic when the caller names none; without an entry the limit of the model.',
    },
  ),
  'claude.thinking_adapter_enabled': flag(true, {
    tab: 'models',
    heading: 'claude',
    section: 'models',
    help: 'Model names ending in -thinking switch thinking on for Anthropic.',
  }),
  'claude.thinking_adapter_budget_tokens_percentage': decimal(
    0.8,
    { min: 0.1, max: 1 },
    {
      tab: 'models',
      heading: 'claude',
      section: 'models',
      help: 'Share of the output limit given to thinking (Anthropic).',
    },
  ),
} as const satisfies Record<string, unknown>;

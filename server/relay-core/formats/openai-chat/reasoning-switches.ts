import type { ReasoningRequest } from '../../model/chat.js';
import {
  documentOf,
  given,
  isDocument,
  numberOf,
  textOf,
  type Document,
} from '../shared/fields/json-fields.js';

/** Members by which vendors of this format switch reasoning, beside `reasoning_effort`. */
export const REASONING_SWITCHES: readonly string[] = [
  'reasoning',
  'thinking',
  'enable_thinking',
  'thinking_budget',
  'think',
];

/** Reasoning settings of a request, in any vendor's members. */
export function readReasoningRequest(body: Document): ReasoningRequest | undefined {
  const found: ReasoningRequest = {
    ...readThinking(body['thinking']),
    ...readGoogle(body),
    ...readOpenRouter(body['reasoning']),
    ...readQwen(body),
    ...(typeof body['think'] === 'boolean' ? onOrOff(body['think']) : given('effort', textOf(body['think']))),
    ...given('effort', textOf(body['reasoning_effort'])),
  };
  return Object.keys(found).length === 0 ? undefined : found;
}

const onOrOff = (isOn: boolean): ReasoningRequest => (isOn ? { isDynamic: true } : { budgetTokens: 0 });

/** `{type: enabled|disabled|adaptive|auto, budget_tokens}`: Anthropic, DeepSeek, Zhipu, Volcengine, Moonshot. */
function readThinking(value: unknown): ReasoningRequest {
  if (!isDocument(value)) return {};
  if (value['type'] === 'disabled') return onOrOff(false);
  const budgetTokens = numberOf(value['budget_tokens']);
  return budgetTokens === undefined ? onOrOff(true) : { budgetTokens };
}

/** OpenRouter: `{effort, max_tokens, enabled, exclude}`; OpenAI's summary word may stand there too. */
function readOpenRouter(value: unknown): ReasoningRequest {
  if (!isDocument(value)) return {};
  const effort = textOf(value['effort']);
  const budgetTokens = numberOf(value['max_tokens']);
  const summary = textOf(value['summary']);
  return {
    ...given('effort', effort),
    ...given('budgetTokens', budgetTokens),
    ...(effort === undefined && budgetTokens === undefined && typeof value['enabled'] === 'boolean'
      ? onOrOff(value['enabled'])
      : {}),
    ...(summary === 'auto' || summary === 'concise' || summary === 'detailed' ? { summary } : {}),
    ...(value['exclude'] === true ? { summary: 'none' as const } : {}),
  };
}

function readQwen(body: Document): ReasoningRequest {
  const enabled = body['enable_thinking'] ?? documentOf(body['chat_template_kwargs'])['enable_thinking'];
  const budgetTokens = numberOf(body['thinking_budget']);
  if (enabled === false) return onOrOff(false);
  if (budgetTokens !== undefined) return { budgetTokens };
  return enabled === true ? onOrOff(true) : {};
}

/** Gemini's settings inside `extra_body.google`. */
function readGoogle(body: Document): ReasoningRequest {
  const outer = documentOf(documentOf(body['extra_body'])['google']);
  const config = documentOf(outer['thinking_config'] ?? documentOf(body['google'])['thinking_config']);
  const budgetTokens = numberOf(config['thinking_budget']);
  return {
    ...(budgetTokens === -1 ? { isDynamic: true } : given('budgetTokens', budgetTokens)),
    ...given('effort', textOf(config['thinking_level'])?.toLowerCase()),
    ...(config['include_thoughts'] === true ? { summary: 'auto' as const } : {}),
  };
}

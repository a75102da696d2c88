/** Makers of models on Bedrock whose rules differ. */
export type ModelFamily = 'anthropic' | 'nova' | 'mistral' | 'openai' | 'other';

/** Finds the family by the model's id, with the prefix of an inference profile or not (`us.anthropic.…`, an ARN with the model). */
export function familyOf(model: string): ModelFamily {
  if (model.includes('anthropic.') || model.includes('claude')) return 'anthropic';
  if (/(?:^|[./])amazon\.nova/.test(model)) return 'nova';
  if (model.includes('mistral.')) return 'mistral';
  if (/(?:^|[./])openai\./.test(model)) return 'openai';
  return 'other';
}

/** Claude models that decide themselves how much to think and take an effort. */
const ADAPTIVE = /claude-(?:(?:opus|sonnet|haiku|fable)-(?:4-[6-9]|[5-9]))/;
/** Claude models that refuse temperature, top_p and top_k. */
const WITHOUT_SAMPLING = /claude-(?:opus-4-[78]|(?:opus|sonnet|haiku|fable)-[5-9])/;
/** Claude models whose answers can be bound to a schema, by Bedrock's own copy of the grammar. */
const WITH_NATIVE_SCHEMA = /claude-(?:sonnet-4-5|opus-4-[56])/;
const NOVA_REASONING = /amazon\.nova-(?:[2-9])/;

export const thinksAdaptively = (model: string): boolean => ADAPTIVE.test(model);
export const refusesSampling = (model: string): boolean => WITHOUT_SAMPLING.test(model);
export const hasNativeSchema = (model: string): boolean => WITH_NATIVE_SCHEMA.test(model);
export const isNovaReasoning = (model: string): boolean => NOVA_REASONING.test(model);
export const isGptOss = (model: string): boolean => model.includes('openai.gpt-oss');

/** Claude models that cannot be made to call a tool. */
const WITHOUT_FORCED_TOOLS = /(?:sonnet|opus)-5-5|(?:fable|mythos)-5-[12]/;

/** Models that can be made to call a tool. */
export const supportsForcedTools = (model: string): boolean =>
  ['anthropic', 'nova', 'mistral'].includes(familyOf(model)) && !WITHOUT_FORCED_TOOLS.test(model);
/** Models that cache prompts at a cache point. */
export const supportsCachePoints = (model: string): boolean =>
  ['anthropic', 'nova'].includes(familyOf(model));

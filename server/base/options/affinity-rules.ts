import { z } from 'zod';
import { faultOfOverride } from '../../relay-core/pipeline/request/overrides/override-members.js';
import { isSafePattern } from '../../relay-core/model/safe-pattern.js';

const pattern = z
  .string()
  .max(200)
  .refine(isSafePattern, 'a regular expression without repetition inside repetition');
const patterns = z.array(pattern).max(20).default([]);

/** Source of the value that identifies a conversation; the first one present counts. */
const keySource = z.object({
  type: z.enum(['request_header', 'gjson', 'context_int', 'context_string']),
  /** Header, or member of the caller's context (`user_id`, `token_id`, `group`). */
  key: z.string().max(200).optional(),
  /** Dotted path into the JSON body. */
  path: z.string().max(200).optional(),
});
export type AffinityKeySource = Readonly<z.infer<typeof keySource>>;

/** One kind of conversation. */
const affinityRule = z.object({
  name: z.string().min(1).max(100),
  /** Empty = every model. */
  model_regex: patterns,
  /** Empty = every path. */
  path_regex: patterns,
  /** Empty = every client; else one of the texts must be in its User-Agent, any case. */
  user_agent_include: z.array(z.string().min(1).max(200)).max(20).default([]),
  key_sources: z.array(keySource).min(1).max(10),
  /** Pattern of accepted values; empty = any. */
  value_regex: z.union([z.literal(''), pattern]).default(''),
  /** 0 = the general setting. */
  ttl_seconds: z.int().min(0).max(604_800).default(0),
  /** Parameter override in its full form, laid over calls of this rule before the channel's own. */
  param_override_template: z.record(z.string(), z.unknown()).nullable().default(null),
  /** No other channel is tried when the bound one fails. */
  skip_retry_on_failure: z.boolean().default(false),
  include_using_group: z.boolean().default(true),
  include_model_name: z.boolean().default(false),
  include_rule_name: z.boolean().default(true),
});
export type AffinityRule = Readonly<z.infer<typeof affinityRule>>;
export const affinityRules: z.ZodType<readonly AffinityRule[]> = z.array(affinityRule).max(50);

/** The place of the first override in the rules that is not in order; undefined = none. */
export function wrongTemplate(rules: readonly AffinityRule[]): string | undefined {
  for (const [index, { param_override_template: template }] of rules.entries()) {
    const fault = template === null ? undefined : faultOfOverride(template);
    if (fault !== undefined) return `${index}.param_override_template.${fault}`;
  }
  return undefined;
}

const passHeaders = (names: readonly string[]): Record<string, unknown> => ({
  operations: [{ mode: 'pass_headers', value: names, keep_origin: true }],
});

const CODING_CLIENT = {
  user_agent_include: [],
  value_regex: '',
  ttl_seconds: 0,
  // A missed prompt cache costs less than a call that could have been saved.
  skip_retry_on_failure: false,
  include_using_group: true,
  include_model_name: false,
  include_rule_name: true,
};

/** Coding agents name their conversation themselves. */
export const DEFAULT_AFFINITY_RULES: readonly AffinityRule[] = [
  {
    ...CODING_CLIENT,
    name: 'responses sessions',
    model_regex: ['^gpt-.*$'],
    path_regex: ['^/v1/responses'],
    key_sources: [{ type: 'gjson', path: 'prompt_cache_key' }],
    param_override_template: passHeaders(['originator', 'session_id', 'user-agent']),
  },
  {
    ...CODING_CLIENT,
    name: 'messages sessions',
    model_regex: ['^claude-.*$'],
    path_regex: ['^/v1/messages$'],
    key_sources: [{ type: 'gjson', path: 'metadata.user_id' }],
    param_override_template: passHeaders(['user-agent', 'x-app']),
  },
];

/**
 * Members that the vendor's models accept, by name as any host writes it (`claude-opus-4-1@20250805`,
 * `anthropic.claude-opus-4-6-v1`). Names and limits of November 2026.
 */
export interface ModelRules {
  /** Largest `max_tokens`; undefined = not known. */
  readonly maxOutputTokens: number | undefined;
  /** Takes `thinking: {type: "adaptive"}` and `output_config.effort`. */
  readonly hasAdaptiveThinking: boolean;
  /** Takes `thinking: {type: "enabled", budget_tokens}`. */
  readonly hasBudgetThinking: boolean;
  /** `thinking: {type: "disabled"}` is taken. */
  readonly canStopThinking: boolean;
  readonly hasExtraHighEffort: boolean;
  /** Values of `output_config.effort` that it takes, in rising order; undefined = not known. */
  readonly efforts: readonly string[] | undefined;
  /** Takes temperature, top_p and top_k. */
  readonly takesSampling: boolean;
  /** Takes temperature and top_p in one request. */
  readonly takesBothSamplings: boolean;
  /** Takes `output_config.format`, and `strict` on tools. */
  readonly hasStructuredOutput: boolean;
  /** A tool may be forced. */
  readonly takesForcedTools: boolean;
}

/** Models without any thinking, and names we do not know as Claude's. */
const LEGACY: ModelRules = {
  maxOutputTokens: 4_096,
  hasAdaptiveThinking: false,
  hasBudgetThinking: false,
  canStopThinking: true,
  hasExtraHighEffort: false,
  efforts: [],
  takesSampling: true,
  takesBothSamplings: true,
  hasStructuredOutput: false,
  takesForcedTools: true,
};
/** A compatible vendor's model behind the same grammar: without rules, so nothing is changed. */
const UNKNOWN: ModelRules = {
  ...LEGACY,
  maxOutputTokens: undefined,
  hasBudgetThinking: true,
  efforts: undefined,
};

const BUDGETED: ModelRules = { ...LEGACY, hasBudgetThinking: true };
const CLAUDE_4: ModelRules = { ...BUDGETED, maxOutputTokens: 64_000 };
const CLAUDE_4_5: ModelRules = { ...CLAUDE_4, takesBothSamplings: false, hasStructuredOutput: true };
const CLAUDE_4_6: ModelRules = {
  ...CLAUDE_4_5,
  maxOutputTokens: 128_000,
  hasAdaptiveThinking: true,
  efforts: ['low', 'medium', 'high', 'max'],
};
const CLAUDE_4_7: ModelRules = {
  ...CLAUDE_4_6,
  takesSampling: false,
  hasExtraHighEffort: true,
  efforts: ['low', 'medium', 'high', 'xhigh', 'max'],
};
const FABLE_5: ModelRules = { ...CLAUDE_4_7, canStopThinking: false, hasBudgetThinking: false };
const LATEST: ModelRules = { ...FABLE_5, takesForcedTools: false };

/** First match decides, so longer names stand first. */
const RULES: readonly (readonly [RegExp, ModelRules])[] = [
  [/(?:sonnet|opus)-5-5/, LATEST],
  [/haiku-5-5/, { ...CLAUDE_4_7, hasBudgetThinking: false }],
  [/(?:fable|mythos)-5-[12]/, { ...FABLE_5, takesForcedTools: false }],
  [/(?:fable|mythos)-/, FABLE_5],
  [/opus-5/, CLAUDE_4_7],
  [/sonnet-5|opus-4-[78]/, CLAUDE_4_7],
  [/sonnet-4-6/, { ...CLAUDE_4_6, maxOutputTokens: 64_000 }],
  [/opus-4-6/, CLAUDE_4_6],
  [/opus-4-5/, { ...CLAUDE_4_5, efforts: ['low', 'medium', 'high'] }],
  [/(?:sonnet|haiku)-4-5/, CLAUDE_4_5],
  [/opus-4-1/, { ...CLAUDE_4_5, maxOutputTokens: 32_000 }],
  [/opus-4/, { ...CLAUDE_4, maxOutputTokens: 32_000 }],
  [/sonnet-4/, CLAUDE_4],
  [/3-7-sonnet/, CLAUDE_4],
  [/3-5-(?:sonnet|haiku)/, { ...LEGACY, maxOutputTokens: 8_192 }],
  [/(?:claude-3|claude-instant|claude-v?2)/, LEGACY],
];

/** Cap of a call without one for models whose largest is above it. */
const MAX_DEFAULT_CAP = 64_000;
/** The same for models whose largest is unknown. */
const UNKNOWN_DEFAULT_CAP = 8_192;

/** Output tokens of a call without a cap where the operator set none: the vendor refuses calls without. */
export const defaultCapOfModel = ({ maxOutputTokens }: ModelRules): number =>
  maxOutputTokens === undefined ? UNKNOWN_DEFAULT_CAP : Math.min(maxOutputTokens, MAX_DEFAULT_CAP);

export function modelRulesOf(model: string): ModelRules {
  if (!/claude/i.test(model)) return UNKNOWN;
  const name = model.toLowerCase();
  for (const [pattern, rules] of RULES) if (pattern.test(name)) return rules;
  return UNKNOWN;
}

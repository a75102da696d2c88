import type { ReasoningRequest } from '../../model/chat.js';
import type { Warning } from '../../model/warning.js';

/** Form of thinking settings for a family of models. */
export type ThinkingKind = 'none' | 'budget' | 'level';

interface Family {
  readonly kind: ThinkingKind;
  /** Budgets the model takes, in tokens. */
  readonly min: number;
  readonly max: number;
  readonly canBeOff: boolean;
  readonly hasMinimal: boolean;
  readonly lacksMedium?: true;
}

const NONE: Family = { kind: 'none', min: 0, max: 0, canBeOff: true, hasMinimal: false };

/** Longest matching name first. Ranges: https://ai.google.dev/gemini-api/docs/thinking (read 2026-11-21). */
const FAMILIES: readonly (readonly [RegExp, Family])[] = [
  [/(^|\/)(gemini-(1|2\.0)|gemma|learnlm|imagen|palm|text-|chat-)/, NONE],
  [/(^|\/)gemini-2\.5-flash-image/, NONE],
  [/(^|\/)gemini-.*-(tts|native-audio|embedding)/, NONE],
  [/(^|\/)gemini-2\.5-pro/, { kind: 'budget', min: 128, max: 32_768, canBeOff: false, hasMinimal: false }],
  [
    /(^|\/)gemini-2\.5-flash-lite/,
    { kind: 'budget', min: 512, max: 24_576, canBeOff: true, hasMinimal: false },
  ],
  [/(^|\/)gemini-2\.5-/, { kind: 'budget', min: 0, max: 24_576, canBeOff: true, hasMinimal: false }],
  [
    /(^|\/)gemini-(flash|flash-lite)-latest/,
    { kind: 'budget', min: 0, max: 24_576, canBeOff: true, hasMinimal: false },
  ],
  [
    /(^|\/)gemini-3-pro/,
    { kind: 'level', min: 128, max: 32_768, canBeOff: false, hasMinimal: false, lacksMedium: true },
  ],
  [
    /(^|\/)gemini-([3-9]|\d\d)(\.\d+)?-pro/,
    { kind: 'level', min: 128, max: 32_768, canBeOff: false, hasMinimal: false },
  ],
  [/(^|\/)gemini-([3-9]|\d\d)/, { kind: 'level', min: 0, max: 24_576, canBeOff: false, hasMinimal: true }],
];

/** Unknown names are taken for models of today. */
const UNKNOWN: Family = { kind: 'level', min: 0, max: 24_576, canBeOff: false, hasMinimal: true };

export const familyOf = (model: string): Family =>
  FAMILIES.find(([pattern]) => pattern.test(model.toLowerCase()))?.[1] ?? UNKNOWN;

/** Generation of a Gemini model: 2.5, 3, 3.1; 0 for every other name. */
export const generationOf = (model: string): number =>
  Number(/(?:^|\/)gemini-(\d+(?:\.\d+)?)/.exec(model.toLowerCase())?.[1] ?? 0);

/** A budget inside the model's range; 0 and −1 (the model decides) stay where the model takes them. */
export function clampBudget(model: string, budget: number): number {
  const { min, max, canBeOff } = familyOf(model);
  if (budget < 0) return -1;
  if (budget === 0 && canBeOff) return 0;
  return Math.min(max, Math.max(min, Math.floor(budget)));
}

/** Shares of the model's largest budget. */
const SHARES: ReadonlyMap<string, number> = new Map([
  ['minimal', 0.02],
  ['low', 0.1],
  ['medium', 0.3],
  ['high', 0.6],
  ['xhigh', 0.9],
  ['max', 1],
]);

/** `thinkingConfig` for a request; undefined = the request has no word on thinking. */
export function writeThinking(
  reasoning: ReasoningRequest | undefined,
  model: string,
  warnings: Warning[],
): Record<string, unknown> | undefined {
  if (reasoning === undefined) return undefined;
  const family = familyOf(model);
  const { summary, budgetTokens, effort } = reasoning;
  if (family.kind === 'none') {
    if (budgetTokens !== 0 && effort !== 'none') {
      warnings.push({ setting: 'reasoning', reason: 'this model cannot be told how much to think' });
    }
    return undefined;
  }
  const isOff = budgetTokens === 0 || effort === 'none';
  if (isOff && !family.canBeOff) {
    warnings.push({
      setting: 'reasoning',
      reason: 'this model cannot be kept from thinking; it thinks least',
    });
  }
  const amount =
    family.kind === 'budget'
      ? budgetOf(reasoning, model, family)
      : budgetTokens !== undefined && budgetTokens > 0
        ? { thinkingBudget: clampBudget(model, budgetTokens) }
        : levelOf(effort, isOff, family);
  // Callers that request thinking get to see it, unless they decline.
  const shows = summary === undefined ? !isOff : summary !== 'none';
  return { ...amount, includeThoughts: shows && !(isOff && family.canBeOff) };
}

function budgetOf(reasoning: ReasoningRequest, model: string, family: Family): Record<string, unknown> {
  const { budgetTokens, effort, isDynamic } = reasoning;
  if (budgetTokens !== undefined) return { thinkingBudget: clampBudget(model, budgetTokens) };
  if (effort === 'none') return { thinkingBudget: clampBudget(model, 0) };
  const share = SHARES.get(effort ?? '');
  if (share !== undefined) return { thinkingBudget: clampBudget(model, share * family.max) };
  return isDynamic === true ? { thinkingBudget: -1 } : {};
}

/** The model decides where no setting is given. */
function levelOf(effort: string | undefined, isOff: boolean, family: Family): Record<string, unknown> {
  if (isOff) return { thinkingLevel: effortNameOf('minimal', family) };
  return effort === undefined ? {} : { thinkingLevel: effortNameOf(effort, family) };
}

function effortNameOf(effort: string, family: Family): string {
  if (effort === 'minimal') return family.hasMinimal ? 'minimal' : 'low';
  if (effort === 'low') return 'low';
  return effort === 'medium' && family.lacksMedium !== true ? 'medium' : 'high';
}

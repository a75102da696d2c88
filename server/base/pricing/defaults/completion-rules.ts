/**
 * Ratio of output price to input price for models without a price of their own, by the name of the model.
 * An operator's figure always comes first.
 */
interface CompletionRule {
  readonly names: RegExp;
  /** Exact decimal. */
  readonly ratio: string;
}

/** The first one that fits counts. */
const RULES: readonly CompletionRule[] = [
  { names: /-all$|^gpt-4o?-gizmo-/, ratio: '2' },
  { names: /^chatgpt-4o-latest$/, ratio: '3' },
  { names: /^gpt-4o-2024-05-13$/, ratio: '3' },
  { names: /^gpt-4o-mini-tts/, ratio: '20' },
  { names: /^gpt-4o/, ratio: '4' },
  { names: /^gpt-4\.1/, ratio: '4' },
  { names: /^gpt-4\.5-preview/, ratio: '2' },
  { names: /^gpt-4-turbo|^gpt-4-110[56]$|gpt-4-110[56]$/, ratio: '3' },
  { names: /^gpt-4/, ratio: '2' },
  { names: /^gpt-5\.4-nano/, ratio: '6.25' },
  { names: /^gpt-5\.[4-9]/, ratio: '6' },
  { names: /^gpt-5/, ratio: '8' },
  { names: /^gpt-3\.5-turbo$|^gpt-3\.5.*0125$/, ratio: '3' },
  { names: /^gpt-3\.5.*1106$/, ratio: '2' },
  { names: /^gpt-3\.5/, ratio: '1.33333333333' },
  { names: /^o[134](-|$)/, ratio: '4' },
  { names: /claude-instant-1|claude-2/, ratio: '3' },
  { names: /claude-/, ratio: '5' },
  { names: /^mistral-/, ratio: '3' },
  { names: /^gemini-(1\.5|2\.0)/, ratio: '4' },
  { names: /^gemini-2\.5-pro/, ratio: '8' },
  { names: /^gemini-2\.5-flash-lite|^gemini-2\.5-flash-preview.*-nothinking$/, ratio: '4' },
  { names: /^gemini-2\.5-flash-preview/, ratio: '5.83333333333' },
  { names: /^gemini-2\.5-flash/, ratio: '8.33333333333' },
  { names: /^gemini-3.*-image/, ratio: '60' },
  { names: /^gemini-3/, ratio: '6' },
  { names: /^gemini-/, ratio: '4' },
  { names: /^command-r$/, ratio: '3' },
  { names: /^command-r-plus$/, ratio: '5' },
  { names: /^command/, ratio: '4' },
  { names: /^deepseek-(chat|reasoner)$/i, ratio: '4' },
  { names: /^ERNIE-(Speed-|Lite-|Character|Functions)/, ratio: '2' },
  { names: /^llama2-70b-4096$/, ratio: '1.25' },
  { names: /^llama3-8b-8192$/, ratio: '2' },
  { names: /^llama3-70b-8192$/, ratio: '1.339' },
];

/** @returns exact decimal; `1` for names no rule knows */
export function completionRatioByName(model: string): string {
  return RULES.find(({ names }) => names.test(model))?.ratio ?? '1';
}

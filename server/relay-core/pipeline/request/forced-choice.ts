import { documentOf } from '../../formats/shared/fields/json-fields.js';
import type { ThinkingChoiceRules } from '../../model/vendor-description.js';

export const NOT_WHILE_FORCED = 'this model does not think in a call that forces a tool';
export const NOT_WHILE_THINKING = 'this model cannot be held to a tool: it always thinks';

/** Thinking, switched off in the words of DeepSeek and Kimi. */
export const NO_THINKING = Object.freeze({ type: 'disabled' });

/**
 * The part of a call that gives way to a forced tool. Callers rely on the tool, so thinking gives way wherever it can be switched off.
 * @param thinking  the member `thinking` of the call
 */
export function yieldsToForcedTool(
  rules: ThinkingChoiceRules,
  model: string,
  thinking: unknown,
): 'nothing' | 'thinking' | 'choice' {
  if (rules.always.test(model)) return 'choice';
  const type = documentOf(thinking)['type'];
  if (type === 'disabled') return 'nothing';
  return type === 'enabled' || rules.byDefault.test(model) ? 'thinking' : 'nothing';
}

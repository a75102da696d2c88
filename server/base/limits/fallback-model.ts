import { isModelListed } from '../../relay-core/model/model-family.js';
import type { LimitDefinition } from './limit-definition.js';

type Rule = Pick<LimitDefinition, 'id' | 'model' | 'action' | 'fallbackModel'>;

/** Model that a call goes on with: the one all of its full limits allow; undefined = one of them refuses. */
export function fallbackModelOf(
  full: readonly Pick<LimitDefinition, 'action' | 'fallbackModel'>[],
): string | undefined {
  const [first] = full;
  const model = first?.fallbackModel ?? '';
  const isAgreed = full.every(
    ({ action, fallbackModel }) => action === 'cheaper_model' && fallbackModel === model,
  );
  return isAgreed && model !== '' ? model : undefined;
}

/** `missing`: no model is named. `covered`: the limit counts calls of that model as well. `chained`: another rule begins or ends at it. */
export type FallbackFault = 'missing' | 'covered' | 'chained';

const covers = ({ model }: Pick<Rule, 'model'>, name: string): boolean =>
  model === '' || isModelListed(new Set([model]), name);

/**
 * Checks the model of a limit with the action `cheaper_model`: calls go on once, so it must be the beginning of no other such rule.
 * @param others  enabled limits that may apply to the same calls; the limit itself is left out by its id
 * @returns undefined where nothing is wrong
 */
export function fallbackFault(limit: Rule, others: readonly Rule[]): FallbackFault | undefined {
  const { fallbackModel = '' } = limit;
  if (limit.action !== 'cheaper_model') return undefined;
  if (fallbackModel.trim() === '') return 'missing';
  if (covers(limit, fallbackModel)) return 'covered';
  const rules = others.filter(({ id, action }) => id !== limit.id && action === 'cheaper_model');
  const isChained = rules.some(
    (other) => covers(other, fallbackModel) || covers(limit, other.fallbackModel ?? ''),
  );
  return isChained ? 'chained' : undefined;
}

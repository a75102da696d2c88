import { CLAUDE_ROOTS, PLAIN_ROOTS, type FormatRoots } from '../../../formats/shared/fields/tool-roots.js';
import { familyOf } from './model-family.js';

/**
 * Converse itself wants `type: "object"`. Nova takes `type`, `properties` and `required` there and nothing else
 * (https://docs.aws.amazon.com/nova/latest/userguide/prompting-tool-troubleshooting.html, read 2026-11-25).
 */
export const CONVERSE_ROOTS: FormatRoots = [
  { models: { name: 'Claude', knows: (model) => familyOf(model) === 'anthropic' }, roots: CLAUDE_ROOTS },
  {
    models: { name: 'Nova', knows: (model) => familyOf(model) === 'nova' },
    roots: { takes: [], members: ['type', 'properties', 'required'] },
  },
  { roots: PLAIN_ROOTS },
];

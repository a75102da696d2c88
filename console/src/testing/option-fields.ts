import type { Schemas } from '../api/schemas';
import { optionFields } from '../features/settings/option-fields';
import rows from './option-fields.json';

/** Answer of `GET /api/option/fields`, written by `npm run docs`. */
export const OPTION_FIELD_ROWS = rows as readonly Schemas['OptionField'][];

export const OPTION_FIELDS = optionFields(OPTION_FIELD_ROWS);

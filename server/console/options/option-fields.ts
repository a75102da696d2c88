import type { z } from 'zod';
import { isSecret, OPTION_KEYS, optionRow } from '../../base/options/option-catalogue.js';
import type { optionFieldSchema } from './dto/option.dto.js';

/** Form, bounds and place of every option, in the order of the catalogue. */
export function presentOptionFields(): z.infer<typeof optionFieldSchema>[] {
  return OPTION_KEYS.map((key) => {
    const { kind, bounds, choices, tab, heading, section } = optionRow(key);
    return {
      key,
      kind,
      ...bounds,
      ...(choices === undefined ? {} : { choices: [...choices] }),
      tab,
      ...(heading === undefined ? {} : { heading }),
      section,
      secret: isSecret(key),
    };
  });
}

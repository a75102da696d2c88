import { z } from 'zod';
import { OPTION_HEADINGS } from '../../../base/options/option-headings.js';
import { OPTION_KINDS, OPTION_TABS } from '../../../base/options/option-kinds.js';
import { bodyId, filterNumber, filterText } from '../../../common/query.js';

export const optionSchema = z
  .object({
    key: z.string(),
    value: z.string(),
    /** For withheld values: whether one is stored. No role reads secrets, root alone reads the address of alerts. */
    is_set: z.boolean().optional(),
    /** Complaint about the stored value if it were saved now; absent = none. */
    needs_look: z.string().optional(),
    section: z.string().meta({ description: 'what root ticks for administrators' }),
    choices: z
      .array(z.string())
      .optional()
      .meta({ description: 'every word the value can hold, where there are such' }),
    may_change: z.boolean().meta({ description: 'by whoever asks' }),
  })
  .meta({ id: 'Option' });

export const optionFieldSchema = z
  .object({
    key: z.string(),
    kind: z.enum(OPTION_KINDS).meta({ description: 'form of the value' }),
    min: z.number().optional().meta({ description: 'of numbers' }),
    max: z.number().optional().meta({ description: 'of numbers' }),
    choices: z
      .array(z.string())
      .optional()
      .meta({ description: 'every word the value can hold, where there are such' }),
    tab: z.enum(OPTION_TABS).meta({ description: 'screen of the console; none = no screen' }),
    heading: z.enum(OPTION_HEADINGS).optional().meta({ description: 'part of the tab' }),
    section: z.string().meta({ description: 'what root ticks for administrators' }),
    secret: z.boolean().meta({ description: 'stored encrypted, never returned' }),
  })
  .meta({ id: 'OptionField' });

const inputSchema = z
  .object({
    key: z.string().min(1).max(191),
    value: z.union([z.string().max(1_000_000), z.number(), z.boolean(), z.null()]),
  })
  .meta({ id: 'OptionInput' });

const inputsSchema = z.array(inputSchema).min(1).max(200);

/** One option, or several that are stored as a whole or not at all, with a note of why where there is one. */
export const optionUpdateSchema = z.union([
  inputSchema,
  inputsSchema,
  z
    .object({ changes: inputsSchema, note: z.string().max(500).default('') })
    .meta({ id: 'OptionUpdateWithNote' }),
]);
export type OptionUpdate = z.infer<typeof optionUpdateSchema>;

export const optionChangeSchema = z
  .object({
    revision: z.int(),
    key: z.string(),
    old_value: z.string().nullable(),
    new_value: z.string().nullable(),
    actor_id: z.int(),
    actor: z.string().meta({ description: 'name then; empty for changes of the program and very old ones' }),
    changed_at: z.int(),
    version_id: z.int().nullable().meta({ description: 'changes saved together share it' }),
    source: z.string().meta({ description: 'edit, reset, rollback, sync; empty for very old changes' }),
    note: z.string(),
    can_roll_back: z.boolean().meta({ description: 'false for secrets, whose values are not kept' }),
  })
  .meta({ id: 'OptionChange' });
export type OptionChangeView = z.infer<typeof optionChangeSchema>;

export const optionHistoryQuerySchema = z.object({
  key: filterText(191),
  /** Only revisions older than this one; 0 = from the newest. */
  before: filterNumber(),
  size: filterNumber(),
});
export type OptionHistoryQuery = z.infer<typeof optionHistoryQuerySchema>;

export const optionRollbackSchema = z
  .object({
    revision: bodyId(),
    to: z.enum(['before', 'after']).default('before'),
    note: z.string().max(500).default(''),
  })
  .meta({ id: 'OptionRollback' });
export type OptionRollback = z.infer<typeof optionRollbackSchema>;

export const optionVersionRollbackSchema = z
  .object({
    version_id: bodyId().meta({ description: 'every option becomes what it was right after it' }),
    note: z.string().max(500).default(''),
  })
  .meta({ id: 'OptionVersionRollback' });
export type OptionVersionRollback = z.infer<typeof optionVersionRollbackSchema>;

/** Accounts whose identity at a provider no longer signs in to them. */
export const lostBindingsSchema = z
  .object({ provider: z.string(), accounts: z.int() })
  .meta({ id: 'LostBindings' });

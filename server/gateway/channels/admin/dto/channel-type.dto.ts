import { z } from 'zod';
import { OPERATIONS } from '../../../../relay-core/model/operation.js';
import { KEY_FORMATS, OTHER_MEANINGS } from '../../../../relay-core/providers/channel-form.js';

/** One kind of upstream. */
export const channelTypeSchema = z
  .object({
    code: z.int(),
    name: z.string(),
    base_url: z.string().meta({ description: 'used when a channel names none; empty = it must name one' }),
    named_base_urls: z.array(z.string()).meta({ description: 'words that stand for an address' }),
    key_format: z.enum(KEY_FORMATS),
    key_example: z.string(),
    key_prefixes: z
      .array(z.string())
      .meta({ description: 'beginnings of keys that this vendor alone issues; empty = none is known' }),
    key_document_type: z
      .string()
      .meta({ description: 'member `type` of a key that is a JSON document; empty = no such keys' }),
    other: z.enum(OTHER_MEANINGS).meta({ description: 'what the field `other` means' }),
    other_example: z.string(),
    needs_other: z.boolean(),
    needs_base_url: z.boolean(),
    base_url_example: z.string().meta({ description: 'where an address has to be named' }),
    is_offered: z
      .boolean()
      .meta({ description: 'false: kept for channels of other installations, not offered for new ones' }),
    switches: z
      .array(
        z.object({
          name: z.string(),
          choices: z.array(z.string()),
          path_example: z
            .string()
            .optional()
            .meta({ description: 'present: a path of the address is typed' }),
        }),
      )
      .meta({ description: 'members of `settings`; no choices and no example = on or off' }),
    operations: z.array(z.enum(OPERATIONS)),
    lists_models: z.boolean(),
    has_balance: z.boolean(),
  })
  .meta({ id: 'ChannelType' });

export type ChannelTypeView = z.infer<typeof channelTypeSchema>;

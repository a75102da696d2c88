import { z } from 'zod';

/** One vendor or program that a channel of another type is filled in for. */
export const channelPresetSchema = z
  .object({
    id: z.string().meta({ description: 'stored in the channel: `settings`, member `preset`' }),
    name: z.string(),
    mark: z.string().meta({ description: 'one or two letters in place of a logo' }),
    type: z.int().meta({ description: 'type that the channel is stored as' }),
    base_url: z.string().meta({ description: "empty = the address is the operator's own" }),
    base_url_example: z.string(),
    paths: z
      .object({
        responses_path: z.string().optional(),
        messages_path: z.string().optional(),
        gemini_path: z.string().optional(),
      })
      .meta({ description: 'members of `settings`: paths of other APIs at the same address' }),
    key_example: z.string(),
    key_prefix: z
      .string()
      .meta({ description: 'how keys begin that this vendor alone gives; empty = not known' }),
    models: z.array(z.string()).meta({ description: 'to fill the list with; empty = to be fetched' }),
    description: z.object({ en: z.string(), zh: z.string() }),
    page: z.string().meta({ description: "the vendor's page" }),
    read_on: z.string().meta({ description: 'day the page was read; empty = it was not' }),
  })
  .meta({ id: 'ChannelPreset' });

export type ChannelPresetView = z.infer<typeof channelPresetSchema>;

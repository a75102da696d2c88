import { z } from 'zod';
import { bodyId } from '../../../../common/query.js';

/** One key of a channel that has several. The key itself never leaves the server. */
const channelKeySchema = z
  .object({
    index: z.int(),
    status: z.int().meta({ description: '1 enabled, 2 disabled by hand, 3 disabled automatically' }),
    reason: z.string(),
    time: z.int().meta({ description: 'seconds since it is off, 0 = it is on' }),
    hint: z.string().meta({ description: 'last characters, to tell keys apart by' }),
  })
  .meta({ id: 'ChannelKey' });

/** POST /api/channel/multi_key/manage */
export const channelKeyActionSchema = z
  .object({
    channel_id: bodyId(),
    action: z.enum([
      ...(['get_key_status', 'enable_key', 'disable_key', 'delete_key'] as const),
      ...(['enable_all_keys', 'disable_all_keys', 'delete_disabled_keys'] as const),
    ]),
    key_index: z.int().min(0).max(100_000).optional(),
    page: z.int().min(1).max(100_000).default(1),
    page_size: z.int().min(1).max(1_000).default(100),
    status: z.int().min(1).max(3).optional().meta({ description: 'only keys in this state' }),
  })
  .meta({ id: 'ChannelKeyAction' });

export const channelKeyListSchema = z
  .object({
    keys: z.array(channelKeySchema),
    total: z.int(),
    page: z.int(),
    page_size: z.int(),
    enabled_count: z.int(),
    manual_disabled_count: z.int(),
    auto_disabled_count: z.int(),
    changed: z.int().meta({ description: 'keys the action changed' }),
  })
  .meta({ id: 'ChannelKeyList' });

export type ChannelKeyAction = z.infer<typeof channelKeyActionSchema>;
export type ChannelKeyList = z.infer<typeof channelKeyListSchema>;

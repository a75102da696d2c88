import { z } from 'zod';
import {
  bodyId,
  filterText,
  flag,
  pageSize,
  searchPaging,
  zeroBasedPaging,
} from '../../../../common/query.js';
import { CHANNEL_LENGTHS } from '../../state/channel.codes.js';

const LONG_TEXT = 256 * 1024;

/** A channel as administrators see it. `key` is always empty: keys never leave the server. */
export const channelSchema = z
  .object({
    id: z.int(),
    type: z.int().meta({ description: 'channel type code' }),
    key: z.literal('').meta({ description: 'always empty' }),
    openai_organization: z.string(),
    test_model: z.string(),
    status: z.int().meta({ description: '1 enabled, 2 disabled by hand, 3 disabled automatically' }),
    name: z.string(),
    weight: z.int(),
    priority: z.int(),
    created_time: z.int().meta({ description: 'seconds' }),
    test_time: z.int().meta({ description: 'seconds of the last test, failed or not; 0 = never' }),
    test_failure: z
      .string()
      .meta({ description: 'why the last test failed; empty = it succeeded, or there was none' }),
    response_time: z.int().meta({ description: 'milliseconds of the last successful test, 0 = none yet' }),
    base_url: z.string().meta({ description: 'empty = the default address of the type' }),
    other: z
      .string()
      .meta({ description: 'meaning depends on the type: API version, region, account id, bot id' }),
    balance: z.number().meta({ description: "in the provider's own unit" }),
    balance_updated_time: z.int(),
    models: z.string().meta({ description: 'comma-separated' }),
    group: z.string().meta({ description: 'comma-separated' }),
    used_quota: z.int(),
    model_mapping: z.string().meta({ description: 'JSON object, client model → upstream model' }),
    status_code_mapping: z
      .string()
      .meta({ description: 'JSON object, upstream status → status for the client' }),
    auto_ban: z.int().meta({ description: '1 = may be disabled automatically' }),
    other_info: z.string().meta({
      description: 'JSON with status_reason, status_time and, where it was not the usual one, status_test',
    }),
    tag: z.string(),
    setting: z.string().meta({ description: 'JSON object: proxy, force_format, system_prompt, …' }),
    param_override: z
      .string()
      .meta({ description: 'JSON object merged over the request body, or {"operations": […]}' }),
    header_override: z.string().meta({ description: "JSON object of headers laid over the provider's own" }),
    settings: z.string().meta({ description: "JSON object with settings of the vendor's adapter" }),
    max_input_tokens: z
      .int()
      .meta({ description: 'longest prompt the channel is given, in tokens; 0 = any' }),
    remark: z.string(),
    needs_look: z.array(z.string()).meta({
      description:
        'documents in force that would be refused if they were saved today, as "document: place"; they work as they did',
    }),
    channel_info: z
      .object({
        is_multi_key: z.boolean(),
        multi_key_size: z.int(),
        multi_key_mode: z.enum(['', 'polling', 'random']),
        multi_key_off: z.int().meta({ description: 'keys that are off' }),
      })
      .meta({ id: 'ChannelKeyRing' }),
  })
  .meta({ id: 'Channel' });

const text = (maxLength: number) => z.string().max(maxLength).nullable();
const commaList = () => z.union([z.string().max(LONG_TEXT), z.array(z.string().max(1_024)).max(5_000)]);
/** A whole number; older consoles send what was typed, as text. */
const numberOrText = () =>
  z.union([
    z.int(),
    z
      .string()
      .regex(/^\s*-?\d{1,10}\s*$/, 'must be a whole number')
      .transform(Number),
  ]);
/** JSON texts may also come as the object itself. */
const jsonText = () => z.union([z.string().max(LONG_TEXT), z.record(z.string(), z.unknown())]).nullable();

const editable = {
  type: z.int(),
  key: text(LONG_TEXT).meta({
    description:
      'write only; absent or empty on an edit keeps the stored key, null removes it and switches the channel off',
  }),
  openai_organization: text(CHANNEL_LENGTHS.organization),
  test_model: text(CHANNEL_LENGTHS.testModel),
  status: z.int(),
  name: z.string().max(512),
  weight: numberOrText().nullable(),
  priority: numberOrText().nullable(),
  base_url: text(CHANNEL_LENGTHS.baseUrl),
  other: text(16 * 1024),
  models: commaList(),
  group: commaList(),
  model_mapping: jsonText(),
  status_code_mapping: jsonText(),
  auto_ban: z.union([z.int(), z.boolean()]).nullable(),
  tag: text(512),
  setting: jsonText(),
  param_override: jsonText(),
  header_override: jsonText(),
  settings: jsonText(),
  remark: text(512),
  max_input_tokens: numberOrText().nullable(),
  multi_key_mode: z
    .enum(['polling', 'random'])
    .meta({ description: 'of a channel with several keys: each in turn, or by chance' }),
};

/** POST /api/channel/ */
export const channelInputSchema = z
  .object({
    ...z.object(editable).partial().shape,
    type: editable.type.default(1),
    name: editable.name,
    models: editable.models,
    group: editable.group.default('default'),
    copy_from: bodyId().optional().meta({
      description:
        'id of the channel whose stored key is taken when no key is sent; type, address and proxy must be the same',
    }),
    mode: z.enum(['single', 'batch', 'multi_to_single']).optional().meta({
      description:
        'batch: one channel per line of the key; multi_to_single: one channel with all of them; single: the key is taken whole; absent: lines are split into channels, except for JSON keys',
    }),
  })
  .meta({ id: 'ChannelInput' });

/** PUT /api/channel/: members that are absent keep their value, so `{id, status}`, `{id, priority}` and `{id, weight}` are normal uses. */
export const channelEditSchema = z
  .object({
    id: bodyId(),
    ...z.object(editable).partial().shape,
    key_mode: z.enum(['append', 'replace']).optional().meta({
      description: 'of a channel with several keys: whether keys in `key` are added or take the place of all',
    }),
  })
  .meta({ id: 'ChannelEdit' });

export const channelListQuerySchema = z.object({
  ...zeroBasedPaging(),
  page_size: pageSize(),
  id_sort: flag(),
  tag_mode: flag(),
});

export const channelSearchQuerySchema = z.object({
  keyword: filterText(),
  group: filterText(64),
  model: filterText(),
  ...searchPaging(),
  id_sort: flag(),
  tag_mode: flag(),
});

/** An empty list gets a message of its own: see `assertSelected`. */
const selectedIds = () => z.array(bodyId()).max(500);

export const channelIdsSchema = z.object({ ids: selectedIds() }).meta({ id: 'ChannelIds' });

export const channelBatchTagSchema = z
  .object({
    ids: selectedIds(),
    tag: z
      .string()
      .max(512)
      .nullable()
      .default('')
      .meta({ description: 'null removes the tag; an empty one is refused' }),
  })
  .meta({ id: 'ChannelBatchTag' });

const chosenIds = () => z.array(bodyId()).min(1).max(500);

export const channelBatchStatusSchema = z
  .object({
    ids: chosenIds(),
    status: z.union([z.literal(1), z.literal(2)]).meta({ description: '1 enables, 2 disables' }),
  })
  .meta({ id: 'ChannelBatchStatus' });

export const channelBatchPrioritySchema = z
  .object({ ids: chosenIds(), priority: z.int() })
  .meta({ id: 'ChannelBatchPriority' });

export const channelTagSchema = z.object({ tag: z.string().min(1).max(512) }).meta({ id: 'ChannelTag' });

/** PUT /api/channel/tag: empty texts mean "unchanged", except that an empty `new_tag` dissolves the tag. */
export const channelTagEditSchema = z
  .object({
    tag: z.string().min(1).max(512),
    new_tag: text(512).optional(),
    model_mapping: jsonText().optional(),
    models: commaList().nullable().optional(),
    groups: commaList().nullable().optional(),
    priority: numberOrText().nullable().optional(),
    weight: numberOrText().nullable().optional(),
  })
  .meta({ id: 'ChannelTagEdit' });

export const channelCopySchema = z
  .object({
    name: z.string().max(512).optional().meta({ description: 'absent: the old name with a suffix' }),
  })
  .nullish()
  .meta({ id: 'ChannelCopy' });

export const fetchModelsSchema = z
  .object({
    base_url: text(CHANNEL_LENGTHS.baseUrl).optional(),
    type: z.int(),
    key: z.string().max(LONG_TEXT),
    other: text(16 * 1024).optional(),
    proxy: text(2_048).optional(),
  })
  .meta({ id: 'FetchModels' });

export const channelTestQuerySchema = z.object({
  model: filterText(),
  stream: flag(),
  endpoint_type: filterText(64),
  confirm_cost: flag(),
});

export const channelJobQuerySchema = z.object({ confirm_cost: flag() });

/** Progress of a background job over channels. */
export const jobProgressSchema = z
  .object({
    running: z.boolean(),
    done: z.int(),
    total: z.int(),
    failed: z.int(),
    started_at: z.int().meta({ description: 'seconds, 0 = never' }),
    ended_at: z.int().meta({ description: 'seconds, 0 while it runs' }),
  })
  .meta({ id: 'JobProgress' });

/** Ids of what was just created. */
export const createdChannelsSchema = z.object({ ids: z.array(z.int()) }).meta({ id: 'CreatedChannels' });

/** One line of the model catalogue. */
export const catalogueModelSchema = z
  .object({ id: z.string(), object: z.literal('model'), created: z.int(), owned_by: z.string() })
  .meta({ id: 'CatalogueModel' });

export type ChannelView = z.infer<typeof channelSchema>;
export type ChannelInput = z.infer<typeof channelInputSchema>;
export type ChannelEdit = z.infer<typeof channelEditSchema>;
export type ChannelListQuery = z.infer<typeof channelListQuerySchema>;
export type ChannelSearchQuery = z.infer<typeof channelSearchQuerySchema>;
export type ChannelTagEdit = z.infer<typeof channelTagEditSchema>;
export type JobProgressView = z.infer<typeof jobProgressSchema>;
export type CatalogueModel = z.infer<typeof catalogueModelSchema>;
export type FetchModels = z.infer<typeof fetchModelsSchema>;

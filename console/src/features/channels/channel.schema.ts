import type { TFunction } from 'i18next';
import { z } from 'zod';
import { joinList, splitList } from '../../shared/format/lists';
import { isJsonObjectOrEmpty } from '../../shared/format/json';
import type { Channel, ChannelPatch } from './api';
import { channelType } from './channel.types';

/** @param isNew  a new channel needs a key; a stored one keeps its own when the field stays empty */
export function channelSchema(t: TFunction, isNew: boolean) {
  const json = (message: string) => z.string().refine(isJsonObjectOrEmpty, message);
  const integer = () => z.number(t('common.form.notNumber')).int(t('common.form.notInteger'));
  return z
    .object({
      type: z.string(),
      name: z.string().refine((text) => text.trim() !== '', t('channels.error.nameAndKey')),
      baseUrl: z
        .string()
        .refine(
          (text) => text.trim() === '' || /^https?:\/\/\S+$/.test(text.trim()),
          t('channels.error.baseUrl'),
        ),
      key: z.string(),
      batch: z.boolean(),
      organization: z.string(),
      models: z.array(z.string()).min(1, t('channels.error.models')),
      groups: z.array(z.string()).min(1, t('channels.error.groups')),
      testModel: z.string(),
      priority: integer(),
      weight: integer().min(0, t('common.form.atLeast', { min: 0 })),
      tag: z.string(),
      autoBan: z.boolean(),
      other: z.string(),
      modelMapping: json(t('channels.error.mapping')),
      statusMapping: json(t('common.form.notObject')),
      paramOverride: json(t('common.form.notObject')),
      setting: json(t('common.form.notObject')),
    })
    .superRefine((values, context) => {
      if (isNew && values.key.trim() === '') {
        context.addIssue({ code: 'custom', path: ['key'], message: t('channels.error.nameAndKey') });
      }
      if (values.baseUrl.trim() === '' && channelType(Number(values.type))?.address === undefined) {
        context.addIssue({ code: 'custom', path: ['baseUrl'], message: t('channels.error.baseUrlNeeded') });
      }
    });
}

export type ChannelValues = z.infer<ReturnType<typeof channelSchema>>;

export const NEW_CHANNEL: ChannelValues = {
  type: '1',
  name: '',
  baseUrl: '',
  key: '',
  batch: false,
  organization: '',
  models: [],
  groups: ['default'],
  testModel: '',
  priority: 0,
  weight: 0,
  tag: '',
  autoBan: true,
  other: '',
  modelMapping: '',
  statusMapping: '',
  paramOverride: '',
  setting: '',
};

export function toValues(channel: Channel): ChannelValues {
  return {
    type: String(channel.type),
    name: channel.name,
    baseUrl: channel.base_url,
    key: '',
    batch: false,
    organization: channel.openai_organization,
    models: splitList(channel.models),
    groups: splitList(channel.group),
    testModel: channel.test_model,
    priority: channel.priority,
    weight: channel.weight,
    tag: channel.tag,
    autoBan: channel.auto_ban === 1,
    other: channel.other,
    modelMapping: channel.model_mapping,
    statusMapping: channel.status_code_mapping,
    paramOverride: channel.param_override,
    setting: channel.setting,
  };
}

export function toChannel(values: ChannelValues): ChannelPatch {
  return {
    type: Number(values.type),
    name: values.name.trim(),
    base_url: values.baseUrl.trim().replace(/\/+$/, ''),
    ...(values.key.trim() === '' ? {} : { key: values.key.trim() }),
    openai_organization: values.organization.trim(),
    models: joinList(values.models),
    group: joinList(values.groups),
    test_model: values.testModel.trim(),
    priority: values.priority,
    weight: values.weight,
    tag: values.tag.trim(),
    auto_ban: values.autoBan ? 1 : 0,
    other: values.other.trim(),
    model_mapping: values.modelMapping.trim(),
    status_code_mapping: values.statusMapping.trim(),
    param_override: values.paramOverride.trim(),
    setting: values.setting.trim(),
  };
}

import { sentence } from '../../../common/import-sentences/sentence.js';
import type { ForeignSource } from '../../../infra/database/foreign-source.js';
import { isJsonObject, parseJson } from '../../../common/parse-json.js';
import type { MutableSums, SourceChannel, SourceNote } from '../source/records.js';
import type { RowValues } from '../source/row-values.js';
import { ONE_API_ADDRESSES, oneApiType } from './channel-types.js';
import { readRows } from './read-rows.js';

const VERTEX = 41;
const BEDROCK = 33;

/** Channels of new-api and one-api. */
export function readFamilyChannels(
  source: ForeignSource,
  context: {
    readonly product: 'new-api' | 'one-api';
    readonly unknownColumns: readonly string[];
    /** Grows by the figures of rows that cannot be read. */
    readonly unread: MutableSums;
  },
  notes: SourceNote[],
): Promise<SourceChannel[]> {
  const toRecord = context.product === 'new-api' ? newApiChannel : oneApiChannel;
  const onDamaged = (row: RowValues): void => {
    context.unread.usedByChannels += row.readableInteger('used_quota');
  };
  return readRows(source, { table: 'channels', key: 'id', notes, onDamaged }, (row) => {
    const channel = toRecord(row);
    const unknown = context.unknownColumns.filter(
      (column) => !['', '0', 'false', '{}', '[]', 'null'].includes(row.text(column).trim()),
    );
    if (unknown.length === 0) return channel;
    const reason = sentence('channel_unknown_columns', { columns: unknown.join(', ') });
    return { ...channel, offReasons: [...channel.offReasons, reason] };
  });
}

function commonOf(
  row: RowValues,
): Omit<
  SourceChannel,
  'type' | 'typeName' | 'key' | 'fields' | 'channelInfo' | 'offReasons' | 'statusReason' | 'statusTime'
> {
  return {
    sourceId: row.text('id'),
    number: row.integer('id'),
    name: row.text('name'),
    status: row.integer('status', 1),
    usedQuota: row.integer('used_quota'),
    createdTime: row.integer('created_time'),
    testTime: row.integer('test_time'),
    responseTime: row.integer('response_time'),
    balance: row.number('balance'),
    balanceUpdatedTime: row.integer('balance_updated_time'),
  };
}

function fieldsOf(row: RowValues): Record<string, string | number | null> {
  return {
    base_url: row.text('base_url'),
    other: row.text('other'),
    models: row.text('models'),
    group: row.text('group') || 'default',
    model_mapping: row.text('model_mapping'),
    priority: row.integer('priority'),
    weight: row.integer('weight'),
  };
}

function newApiChannel(row: RowValues): SourceChannel {
  const info = parseJson(row.text('other_info'));
  const reason = isJsonObject(info) ? info['status_reason'] : undefined;
  const time = isJsonObject(info) ? info['status_time'] : undefined;
  const type = row.integer('type');
  return {
    ...commonOf(row),
    type,
    typeName: String(type),
    key: row.text('key'),
    statusReason: typeof reason === 'string' ? reason : '',
    statusTime: typeof time === 'number' ? time : 0,
    channelInfo: keyStatesOf(row),
    offReasons: [],
    fields: {
      ...fieldsOf(row),
      openai_organization: row.text('open_ai_organization') || row.text('openai_organization'),
      test_model: row.text('test_model'),
      auto_ban: row.integer('auto_ban', 1),
      tag: row.text('tag'),
      setting: row.text('setting'),
      settings: vendorSettingsOf(row.text('settings')),
      param_override: overrideOf(row.text('param_override')),
      header_override: row.text('header_override'),
      status_code_mapping: row.text('status_code_mapping'),
      remark: row.text('remark'),
    },
  };
}

/** Members of the settings that steer new-api's own jobs, or repeat the rule here. */
const isSuperfluous = (name: string, value: unknown): boolean =>
  name.startsWith('upstream_model_update_') || (name === 'aws_key_type' && value === 'ak_sk');

function vendorSettingsOf(text: string): string {
  const document = parseJson(text);
  if (!isJsonObject(document)) return text;
  const kept = Object.entries(document).filter(([name, value]) => !isSuperfluous(name, value));
  return kept.length === 0 ? '' : JSON.stringify(Object.fromEntries(kept));
}

/** Members beside the operations become operations: a document here has the ones or the others. */
function overrideOf(text: string): string {
  const document = parseJson(text);
  if (!isJsonObject(document) || !Array.isArray(document['operations'])) return text;
  const { operations, ...members } = document;
  const sets = Object.entries(members).map(([path, value]) => ({ path, mode: 'set', value }));
  return JSON.stringify({ operations: [...sets, ...(operations as unknown[])] });
}

function keyStatesOf(row: RowValues): string {
  const info = parseJson(row.text('channel_info'));
  return isJsonObject(info) && info['is_multi_key'] === true ? JSON.stringify(info) : '';
}

function oneApiChannel(row: RowValues): SourceChannel {
  const number = row.integer('type');
  const { name, type } = oneApiType(number);
  const parsed = parseJson(row.text('config'));
  const config = isJsonObject(parsed) ? parsed : {};
  const part = (member: string): string => {
    const value = config[member];
    return typeof value === 'string' ? value : '';
  };
  const fields = fieldsOf(row);
  if (fields['base_url'] === '') fields['base_url'] = ONE_API_ADDRESSES.get(number) ?? '';
  // Whichever the type reads: each has one of them.
  if (fields['other'] === '')
    fields['other'] =
      [part('api_version'), part('user_id'), part('library_id'), part('plugin')].find(
        (text) => text !== '',
      ) ?? '';
  let key = row.text('key');
  if (type === BEDROCK && part('ak') !== '') key = [part('ak'), part('sk'), part('region')].join('|');
  if (type === VERTEX) {
    if (part('vertex_ai_adc') !== '') key = compactJson(part('vertex_ai_adc'));
    fields['other'] = part('region');
  }
  const prompt = row.text('system_prompt');
  if (prompt !== '')
    fields['setting'] = JSON.stringify({ system_prompt: prompt, system_prompt_override: true });
  return {
    ...commonOf(row),
    type,
    typeName: name,
    key,
    statusReason: '',
    statusTime: 0,
    channelInfo: '',
    offReasons: type === null ? [sentence('channel_type_without_counterpart', { type: name })] : [],
    fields,
  };
}

const compactJson = (text: string): string => {
  const value = parseJson(text);
  return value === undefined ? text : JSON.stringify(value);
};

import type { TFunction } from 'i18next';
import type { Schemas } from '../../api/schemas';
import { isRecord, parseJson } from '../../shared/format/json';
import type { ChannelPreset, ChannelType } from './api';
import {
  channelSchema,
  type ChannelValues,
  type FormChannel,
  NEW_CHANNEL,
  toChannel,
  toValues,
} from './channel.schema';
import { findPreset } from './channel-presets';
import { findType, keysIn } from './channel.types';
import { type KeyVendor, keyVendors, vendorOfKey } from './key-vendors';
import { numberedNames } from './many-names';
import { MANY_COLUMNS, type ManyColumn, type PastedRow, type PastedRows } from './many-text';

export interface ManyContext {
  readonly t: TFunction;
  readonly types: readonly ChannelType[];
  readonly presets: readonly ChannelPreset[];
  /** Usual models by the number of their type. */
  readonly usual: Readonly<Record<string, readonly string[]>>;
  readonly taken: ReadonlySet<string>;
}

/** A pasted row as it would be saved. */
export interface CheckedRow {
  readonly row: PastedRow;
  /** Undefined = not known. */
  readonly vendor: KeyVendor | undefined;
  /** Host that the key goes to; empty = not known. */
  readonly host: string;
  readonly values: ChannelValues;
  /** Sentences; a row that has one is not saved. */
  readonly faults: readonly string[];
  /** The usual models of the provider stand in for missing ones. */
  readonly hasUsualModels: boolean;
  readonly body: Schemas['ChannelInput'];
}

type Draft = Omit<CheckedRow, 'body' | 'host'> & Pick<Schemas['ChannelInput'], 'status'> & { stored: string };

/** Members of a channel in the API's form. */
const KNOWN = new Set(
  (
    'type name key base_url openai_organization models group test_model priority weight tag max_input_tokens remark ' +
    'auto_ban other setting settings model_mapping status_code_mapping param_override header_override status mode ' +
    'multi_key_mode channel_info'
  ).split(' '),
);
/** Members of exports that describe how a channel fared. */
const FIGURES = new Set(
  (
    'id created_time test_time test_failure response_time balance balance_updated_time used_quota other_info ' +
    'needs_look'
  ).split(' '),
);
/** Stands in exports in the place of a proxy's password. */
const MASKED_PASSWORD = ':******@';
const ENABLED = 1;
const DISABLED = 2;

/** Every row with its provider, its name and its faults by the rules of the channel form. */
export function checkRows(pasted: PastedRows, context: ManyContext): CheckedRow[] {
  const { t, types, presets, taken } = context;
  const vendors = keyVendors(types, presets, t('channels.type.custom'));
  const schema = channelSchema(t, true, types, presets);
  const read = pasted.kind === 'json' ? fromJson : fromCells;
  const drafts = pasted.rows.map((row) => read(row, vendors, context));
  const names = numberedNames(
    drafts.map(({ values }) => values.name.trim()),
    taken,
  );
  return drafts.map(({ stored, status, ...draft }, index) => {
    const values = { ...draft.values, name: names[index] ?? '' };
    const issues = schema.safeParse(values).error?.issues ?? [];
    const isOwnFault = (field: string): boolean =>
      // A sentence of its own is more exact, or the provider fills it in.
      field === 'type' ||
      (field === 'key' && values.key === '') ||
      (draft.vendor === undefined && ['name', 'models'].includes(field));
    const ofForm = issues
      .map(({ path, message }) => ({ field: String(path[0]), message }))
      .filter(({ field }) => !isOwnFault(field))
      .map(({ field, message }) => `${t(`channels.form.${field}` as 'common.save')}: ${message}`);
    const address = values.baseUrl === '' ? (draft.vendor?.address ?? '') : values.baseUrl;
    return {
      ...draft,
      values,
      host: URL.canParse(address) ? new URL(address).host : address,
      faults: [...draft.faults, ...ofForm],
      body: {
        ...toChannel(values, stored),
        mode: MODES[values.keyUse],
        ...(values.keyUse === 'ring' ? { multi_key_mode: values.ringMode } : {}),
        ...(status === undefined ? {} : { status }),
      },
    };
  });
}

const MODES = { single: 'single', batch: 'batch', ring: 'multi_to_single' } as const;

function fromCells(row: PastedRow, vendors: readonly KeyVendor[], context: ManyContext): Draft {
  const { t, types } = context;
  const cell = (column: ManyColumn): string => String(row.cells[column] ?? '').trim();
  const wanted = cell('provider');
  const key = cell('key');
  const vendor = wanted === '' ? vendorOfKey(vendors, key) : vendorNamed(vendors, wanted, types);
  const type = vendor === undefined ? undefined : findType(types, vendor.type);
  const typedModels = namesIn(cell('models'));
  const models = typedModels.length > 0 ? typedModels : usualModels(vendor, context);
  const groups = namesIn(cell('group'));
  const values: ChannelValues = {
    ...NEW_CHANNEL,
    type: vendor === undefined ? '' : String(vendor.type),
    vendor: vendor?.preset === undefined ? {} : { ...vendor.preset.paths, preset: vendor.preset.id },
    key,
    models: [...models],
    name: cell('name') === '' ? (vendor?.name ?? '') : cell('name'),
    baseUrl: cell('address') === '' && vendor?.isTypeAddress === false ? vendor.address : cell('address'),
    other: type?.other === 'region' && type.needs_other ? type.other_example : '',
    priority: Number(cell('priority')),
    weight: Number(cell('weight')),
    groups: groups.length > 0 ? groups : NEW_CHANNEL.groups,
  };
  const faults = [
    ...(vendor === undefined
      ? [t(wanted === '' ? 'manyChannels.fault.provider' : 'manyChannels.fault.unknownProvider')]
      : []),
    ...(key === '' ? [t('manyChannels.fault.key')] : []),
    ...(row.hasMore ? [t('manyChannels.fault.cells', { count: MANY_COLUMNS.length })] : []),
  ];
  const hasUsualModels = typedModels.length === 0 && models.length > 0;
  return { row, vendor, values, faults, hasUsualModels, stored: '', status: undefined };
}

function fromJson(row: PastedRow, vendors: readonly KeyVendor[], context: ManyContext): Draft {
  const { t, types, presets } = context;
  const cells: Readonly<Record<string, unknown>> = row.cells;
  const key = textOf(cells['key']).trim();
  const recognised = cells['type'] === undefined ? vendorOfKey(vendors, key) : undefined;
  const channel = channelOf(cells, recognised);
  const values = { ...toValues(channel), key, keyUse: keyUseOf(cells, key) };
  const preset = findPreset(presets, channel.type, values.vendor['preset']);
  const vendor =
    recognised ??
    vendors.find(({ id }) => id === (preset?.id ?? String(channel.type))) ??
    retired(findType(types, channel.type));
  const unknown = Object.keys(cells).filter((member) => !KNOWN.has(member) && !FIGURES.has(member));
  const faults = [
    ...(vendor === undefined ? [t('manyChannels.fault.type')] : []),
    ...(key === '' ? [t('manyChannels.fault.key')] : []),
    ...(unknown.length > 0 ? [t('manyChannels.fault.members', { names: unknown.join(', ') })] : []),
    ...(values.proxy.includes(MASKED_PASSWORD) ? [t('manyChannels.fault.proxy')] : []),
  ];
  const status = cells['status'] === undefined || cells['status'] === ENABLED ? undefined : DISABLED;
  const models = values.models.length > 0 ? values.models : [...usualModels(vendor, context)];
  const hasUsualModels = values.models.length === 0 && models.length > 0;
  const name = values.name.trim() === '' ? (vendor?.name ?? '') : values.name;
  const all = { ...values, models, name };
  return { row, vendor, values: all, faults, hasUsualModels, stored: channel.settings, status };
}

/** The form's members of an object of the API; missing ones are empty. */
function channelOf(cells: Readonly<Record<string, unknown>>, recognised: KeyVendor | undefined): FormChannel {
  const text = (member: string): string => textOf(cells[member]);
  const number = (member: string): number => Number(cells[member] ?? 0);
  const info = cells['channel_info'];
  const mode = cells['multi_key_mode'] ?? (isRecord(info) ? info['multi_key_mode'] : undefined);
  const channel: FormChannel = {
    type: number('type'),
    name: text('name'),
    base_url: text('base_url'),
    openai_organization: text('openai_organization'),
    models: text('models'),
    group: text('group') === '' ? 'default' : text('group'),
    test_model: text('test_model'),
    priority: number('priority'),
    weight: number('weight'),
    tag: text('tag'),
    max_input_tokens: number('max_input_tokens'),
    remark: text('remark'),
    auto_ban: Number(cells['auto_ban'] ?? 1),
    other: text('other'),
    setting: text('setting'),
    settings: text('settings'),
    model_mapping: text('model_mapping'),
    status_code_mapping: text('status_code_mapping'),
    param_override: text('param_override'),
    header_override: text('header_override'),
    channel_info: { is_multi_key: isRing(cells), multi_key_mode: mode === 'random' ? 'random' : 'polling' },
  };
  return recognised === undefined ? channel : { ...channel, ...fieldsOf(recognised, channel) };
}

function isRing({ mode, channel_info: info }: Readonly<Record<string, unknown>>): boolean {
  return mode === 'multi_to_single' || (isRecord(info) && info['is_multi_key'] === true);
}

/** Type, address and paths of a vendor that the key has shown. */
function fieldsOf({ type, preset }: KeyVendor, channel: FormChannel): Partial<FormChannel> {
  if (preset === undefined) return { type };
  const own = parseJson(channel.settings);
  return {
    type,
    settings: JSON.stringify({ ...preset.paths, ...(isRecord(own) ? own : {}), preset: preset.id }),
    base_url: channel.base_url === '' ? preset.base_url : channel.base_url,
  };
}

function keyUseOf(cells: Readonly<Record<string, unknown>>, key: string): ChannelValues['keyUse'] {
  if (isRing(cells)) return 'ring';
  return cells['mode'] !== 'single' && keysIn(key).length > 1 ? 'batch' : 'single';
}

/** Text of a member that may also be a list or an object. */
function textOf(value: unknown): string {
  if (value === undefined || value === null) return '';
  if (Array.isArray(value)) return value.map((each) => textOf(each)).join(',');
  return typeof value === 'object' ? JSON.stringify(value) : String(value as string | number | boolean);
}

/** Names divided by commas, semicolons, bars or blanks. */
const namesIn = (text: string): string[] => [
  ...new Set(text.split(/[\s,;|]+/).filter((name) => name !== '')),
];

const plain = (name: string): string => name.toLowerCase().replace(/[\s._-]+/g, '');

/** The vendor with this number, id or name; the name of a type also counts where the form shows another. */
function vendorNamed(vendors: readonly KeyVendor[], text: string, types: readonly ChannelType[]) {
  const code = types.find(({ name }) => plain(name) === plain(text))?.code;
  return vendors.find(
    ({ id, name }) =>
      id === text || plain(name) === plain(text) || plain(id) === plain(text) || id === String(code),
  );
}

function usualModels(vendor: KeyVendor | undefined, { usual }: ManyContext): readonly string[] {
  if (vendor === undefined) return [];
  return vendor.preset?.models ?? usual[String(vendor.type)] ?? [];
}

/** The vendor of a type that the form does not offer for new channels. */
const retired = (type: ChannelType | undefined): KeyVendor | undefined =>
  type === undefined
    ? undefined
    : {
        id: String(type.code),
        name: type.name,
        type: type.code,
        address: type.base_url,
        isTypeAddress: true,
        prefixes: [],
        documentType: '',
      };

import { DomainError } from '../../../common/errors/domain-error.js';
import { cleanLine, cleanText, lengthOf, splitList } from '../../../common/text.js';
import { ADDRESS_PART, type ChannelTypeForm } from '../../../relay-core/providers/channel-form.js';
import { isServedType } from '../../../relay-core/providers/registry.js';
import { CHANNEL_LENGTHS, CHANNEL_STATUS } from './channel.codes.js';
import { addressOf, formOfType, isKnownType, isNamedAddress, nameOfType } from './channel-types.js';
import {
  checkHeaderOverride,
  checkModelMapping,
  checkParamOverride,
  checkSetting,
  checkVendorSettings,
  checkStatusMapping,
  proxyOf,
  type JsonInput,
} from './channel-documents.js';
import { parseJson, isJsonObject } from '../../../common/parse-json.js';

const MAX_MODEL_BYTES = 255;
const MAX_GROUP_LENGTH = 64;
const MAX_MODELS = 5_000;
const MAX_GROUPS = 100;
const MAX_WEIGHT = 1_000_000;
const MAX_PRIORITY = 1_000_000_000;
const MAX_INPUT_TOKENS = 1_000_000_000;
const MAX_KEYS = 500;

/** Members of a channel that a person edits, as they come over the wire; absent = not touched. */
export interface ChannelFields {
  readonly type?: number;
  readonly name?: string;
  readonly openai_organization?: string | null;
  readonly test_model?: string | null;
  readonly status?: number;
  readonly weight?: number | null;
  readonly priority?: number | null;
  readonly base_url?: string | null;
  readonly other?: string | null;
  readonly models?: string | readonly string[];
  readonly group?: string | readonly string[];
  readonly model_mapping?: JsonInput;
  readonly status_code_mapping?: JsonInput;
  readonly auto_ban?: number | boolean | null;
  readonly tag?: string | null;
  readonly setting?: JsonInput;
  readonly param_override?: JsonInput;
  readonly header_override?: JsonInput;
  readonly settings?: JsonInput;
  readonly remark?: string | null;
  readonly max_input_tokens?: number | null;
}

/** The same as columns, checked. Absent = not touched. Neither key nor counters are here. */
export interface ChannelColumns {
  type: number;
  name: string;
  openAiOrganization: string;
  testModel: string;
  weight: number;
  priority: number;
  baseUrl: string;
  other: string;
  models: string;
  group: string;
  modelMapping: string;
  statusCodeMapping: string;
  autoBan: number;
  tag: string;
  setting: string;
  paramOverride: string;
  headerOverride: string | null;
  settings: string | null;
  remark: string;
  maxInputTokens: number;
}

/** Parts of the channel before the change: stored values may stay. */
export type StoredParts = Pick<ChannelColumns, 'setting' | 'settings'> & { readonly type?: number };

/**
 * Checks the members that are present and turns them into columns. Only named columns come out: nothing a client adds can reach the
 * table.
 * @param stored  the channel before; absent = it is new
 * Fails: DomainError naming the member and its fault.
 */
export function checkChannelFields(
  fields: ChannelFields,
  stored: StoredParts = { setting: '', settings: null },
): Partial<ChannelColumns> {
  const columns: Partial<ChannelColumns> = {};
  if (fields.type !== undefined) {
    columns.type = checkType(fields.type, stored.type);
  }
  if (fields.name !== undefined) columns.name = checkChannelName(fields.name);
  if (fields.openai_organization !== undefined)
    columns.openAiOrganization = headerValue(fields.openai_organization);
  if (fields.test_model !== undefined) columns.testModel = checkTestModel(fields.test_model);
  if (fields.weight !== undefined) columns.weight = boundedInteger('weight', fields.weight, [0, MAX_WEIGHT]);
  if (fields.priority !== undefined)
    columns.priority = boundedInteger('priority', fields.priority, [-MAX_PRIORITY, MAX_PRIORITY]);
  if (fields.base_url !== undefined) columns.baseUrl = checkBaseUrl(fields.base_url);
  if (fields.other !== undefined) columns.other = cleanText(fields.other ?? '');
  if (fields.models !== undefined) columns.models = checkModels(fields.models);
  if (fields.group !== undefined) columns.group = checkGroups(fields.group);
  if (fields.model_mapping !== undefined) columns.modelMapping = checkModelMapping(fields.model_mapping);
  if (fields.status_code_mapping !== undefined)
    columns.statusCodeMapping = checkStatusMapping(fields.status_code_mapping);
  if (fields.auto_ban !== undefined) columns.autoBan = Number(fields.auto_ban ?? 0) === 0 ? 0 : 1;
  if (fields.tag !== undefined) columns.tag = checkTag(fields.tag);
  if (fields.setting !== undefined) columns.setting = checkSetting(fields.setting, stored.setting);
  if (fields.param_override !== undefined) columns.paramOverride = checkParamOverride(fields.param_override);
  if (fields.header_override !== undefined)
    columns.headerOverride = checkHeaderOverride(fields.header_override) || null;
  if (fields.settings !== undefined)
    columns.settings = checkVendorSettings(fields.settings, stored.settings ?? '') || null;
  if (fields.remark !== undefined) columns.remark = checkRemark(fields.remark);
  if (fields.max_input_tokens !== undefined)
    columns.maxInputTokens = boundedInteger('max_input_tokens', fields.max_input_tokens, [
      0,
      MAX_INPUT_TOKENS,
    ]);
  return columns;
}

/**
 * Imported channels keep a type this version does not serve; new ones cannot have it.
 * Fails: channel_type_unknown, channel_type_unserved naming the type.
 */
function checkType(type: number, stored?: number): number {
  if (!isKnownType(type)) throw new DomainError('channel_type_unknown', { type });
  if (type !== stored && !isServedType(type))
    throw new DomainError('channel_type_unserved', { name: nameOfType(type) });
  return type;
}

/** Rules that need the whole channel as it will be: what its type asks of address and `other`. */
export function checkWholeChannel(channel: Pick<ChannelColumns, 'type' | 'baseUrl' | 'other'>): {
  other: string;
} {
  const form = formOfType(channel.type);
  if (form.needsAddress && channel.baseUrl === '') throw new DomainError('channel_base_url_required');
  // Paths are put behind the address of every type but one, whose address is complete as it stands.
  if (form.addressIsComplete !== true && channel.baseUrl.includes('?')) {
    const part = channel.baseUrl.slice(channel.baseUrl.indexOf('?'));
    throw new DomainError('channel_base_url_query', { part: part.slice(0, 100) });
  }
  if (form.defaultOther !== undefined && channel.other === '') return { other: form.defaultOther };
  checkOther(form, channel.other);
  return { other: channel.other };
}

/** Fails: channel_region_required, channel_other_required, channel_other_invalid. */
function checkOther(form: ChannelTypeForm, other: string): void {
  if (form.checkOther !== undefined) {
    const fault = form.checkOther(other);
    if (fault !== undefined) throw new DomainError(OTHER_FAULTS[fault]);
  } else if (other === '') {
    if (form.needsOther) throw new DomainError('channel_other_required');
  } else if (form.otherIsAddressPart === true && !ADDRESS_PART.test(other)) {
    throw new DomainError('channel_other_invalid');
  }
}

const OTHER_FAULTS = {
  'region-missing': 'channel_region_required',
  invalid: 'channel_other_invalid',
} as const;

function checkChannelName(text: string): string {
  const name = cleanLine(text);
  if (name === '') throw new DomainError('channel_name_and_key_required');
  const max = CHANNEL_LENGTHS.name;
  if (lengthOf(name) > max) throw new DomainError('channel_name_too_long', { max });
  return name;
}

/** Goes into a request header: printable ASCII only. */
function headerValue(text: string | null): string {
  const value = cleanLine(text ?? '');
  if (!/^[\x20-\x7e]*$/.test(value))
    throw new DomainError('invalid_input', {
      field: 'openai_organization',
      problem: ' (must be printable ASCII)',
    });
  return value;
}

function checkTestModel(text: string | null): string {
  const model = cleanLine(text ?? '');
  if (Buffer.byteLength(model) > MAX_MODEL_BYTES)
    throw new DomainError('channel_model_too_long', { max: MAX_MODEL_BYTES });
  return model;
}

function checkRemark(text: string | null): string {
  const remark = cleanText(text ?? '');
  checkLength('remark', remark);
  return remark;
}

function checkLength(field: 'remark' | 'tag', text: string): void {
  const most = CHANNEL_LENGTHS[field];
  if (lengthOf(text) > most)
    throw new DomainError('invalid_input', { field, problem: ` (must have at most ${most} characters)` });
}

function boundedInteger(
  field: string,
  value: number | null,
  [min, max]: readonly [min: number, max: number],
): number {
  const number = value ?? 0;
  if (number < min || number > max)
    throw new DomainError('invalid_input', {
      field,
      problem: ` (must be a whole number from ${min} to ${max})`,
    });
  return number;
}

/** Without trailing slashes, fragment and credentials; or a word that stands for an address. Empty = the type's own address. */
export function checkBaseUrl(text: string | null): string {
  const address = cleanLine(text ?? '').replace(/\/+$/, '');
  if (address === '' || isNamedAddress(address)) return address;
  const isWebAddress = /^https?:\/\/\S+$/i.test(address) && URL.canParse(address);
  if (!isWebAddress || lengthOf(address) > CHANNEL_LENGTHS.baseUrl)
    throw new DomainError('channel_base_url_invalid');
  const url = new URL(address);
  if (url.username !== '' || url.password !== '' || url.hash !== '')
    throw new DomainError('channel_base_url_invalid');
  return address;
}

function checkModels(models: string | readonly string[]): string {
  const names = splitList(typeof models === 'string' ? models : models.join(','));
  if (names.length === 0) throw new DomainError('channel_model_required');
  if (names.some((name) => Buffer.byteLength(name) > MAX_MODEL_BYTES)) {
    throw new DomainError('channel_model_too_long', { max: MAX_MODEL_BYTES });
  }
  if (names.length > MAX_MODELS)
    throw new DomainError('invalid_input', {
      field: 'models',
      problem: ` (must be at most ${MAX_MODELS} names)`,
    });
  return names.join(',');
}

function checkGroups(groups: string | readonly string[]): string {
  const names = splitList(typeof groups === 'string' ? groups : groups.join(','));
  if (names.length === 0) throw new DomainError('channel_group_required');
  const fits = names.length <= MAX_GROUPS && names.every((name) => name.length <= MAX_GROUP_LENGTH);
  if (!fits)
    throw new DomainError('invalid_input', {
      field: 'group',
      problem: ` (must be at most ${MAX_GROUPS} names of at most ${MAX_GROUP_LENGTH} characters)`,
    });
  return names.join(',');
}

export function checkTag(text: string | null): string {
  const tag = cleanLine(text ?? '');
  checkLength('tag', tag);
  return tag;
}

/** Only enabled and disabled-by-hand are set by people; sending the stored status back changes nothing. */
export function checkChannelStatus(wanted: number, stored: number): number {
  const allowed =
    wanted === stored || wanted === CHANNEL_STATUS.enabled || wanted === CHANNEL_STATUS.disabledByHand;
  if (!allowed)
    throw new DomainError('invalid_input', {
      field: 'status',
      problem: ` (must be ${CHANNEL_STATUS.enabled}, enabled, or ${CHANNEL_STATUS.disabledByHand}, disabled)`,
    });
  return wanted;
}

/** True when the key of a channel of this type must be a JSON document. */
export const isJsonKey = (text: string, type: number): boolean =>
  text.startsWith('{') || formOfType(type).isJsonKey?.(text) === true;

/**
 * Keys of a creation: one channel each. `batch` splits lines, `single` never does, and without a mode lines are split unless
 * the key is JSON, whose line breaks belong to it.
 * Fails: channel_name_and_key_required, channel_key_invalid.
 */
export function splitKeys(text: string, mode: 'single' | 'batch' | undefined, type: number): string[] {
  const whole = cleanText(text);
  if (whole === '') throw new DomainError('channel_name_and_key_required');
  const isJson = isJsonKey(whole, type);
  if (mode === 'single' || (mode === undefined && isJson)) return [checkKey(whole, isJson, type)];
  const keys = whole
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '');
  if (keys.length > MAX_KEYS) throw new DomainError('channel_keys_too_many', { max: MAX_KEYS });
  return keys.map((key) => checkKey(key, isJson, type));
}

/** Names of headers that keys are copied with out of examples. */
const COPIED_HEADER = /^(?:authorization|x-api-key|api-key|x-goog-api-key)\s*[:：]\s*/i;

/**
 * A key becomes a header value: printable ASCII on one line, unless it is a JSON document. The header's name and `Bearer ` copied with it
 * go away, but at Azure, where they mark a token of the directory.
 */
export function checkKey(text: string, isJson: boolean, type?: number): string {
  const key = isJson ? text : withoutHeader(text, type);
  if (isJson ? !isJsonObject(parseJson(key)) : !/^[\x21-\x7e]+( [\x21-\x7e]+)*$/.test(key))
    throw new DomainError('channel_key_invalid');
  return key;
}

function withoutHeader(text: string, type: number | undefined): string {
  if (type !== undefined && formOfType(type).keepsBearer === true) return text;
  return text
    .trim()
    .replace(COPIED_HEADER, '')
    .replace(/^bearer\s+/i, '');
}

/** Destination of a channel's key. */
export type Destination = Readonly<Pick<ChannelColumns, 'type' | 'baseUrl' | 'setting'>>;

/**
 * True when the key would travel elsewhere: another type, scheme, host, port or proxy. Then it must be typed again, so that a
 * stored key cannot be read by pointing its channel at another host.
 */
export function movesElsewhere(before: Destination, after: Destination): boolean {
  return (
    before.type !== after.type ||
    originOf(before) !== originOf(after) ||
    proxyOf(before.setting) !== proxyOf(after.setting)
  );
}

function originOf(destination: Destination): string {
  const address = addressOf(destination);
  return URL.canParse(address) ? new URL(address).origin : address;
}

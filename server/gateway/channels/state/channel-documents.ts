import { findDuplicateKey } from '../../../common/duplicate-key.js';
import { DomainError } from '../../../common/errors/domain-error.js';
import { cleanLine } from '../../../common/text.js';
import {
  faultOfHeaderOverride,
  unknownPlaceholder,
} from '../../../relay-core/pipeline/request/overrides/header-override.js';
import {
  isFullForm,
  multiplierIn,
  parseOperations,
} from '../../../relay-core/pipeline/request/overrides/override-rules.js';
import { unreadOverridePart } from '../../../relay-core/pipeline/request/overrides/override-members.js';
import { checkMembers, refuseMember, refuseValue } from './channel-members.js';
import { withoutPreset } from './channel-presets.js';
import { parseJson, isJsonObject } from '../../../common/parse-json.js';

/** JSON columns of a channel: checked when saved, so that a call never meets one it cannot read. */
export type JsonInput = string | Readonly<Record<string, unknown>> | null;

/** The JSON columns, by the names of the console API, and what each is held against. */
export const CHANNEL_DOCUMENTS = {
  model_mapping: checkModelMapping,
  status_code_mapping: checkStatusMapping,
  param_override: checkParamOverride,
  header_override: checkHeaderOverride,
  setting: checkSetting,
  settings: checkVendorSettings,
} as const satisfies Readonly<Record<string, (input: JsonInput) => string>>;
export type JsonDocument = keyof typeof CHANNEL_DOCUMENTS;
export const JSON_DOCUMENTS = Object.keys(CHANNEL_DOCUMENTS) as JsonDocument[];

/**
 * Stored documents that new rules would refuse, as `document: fault`: they stay in force, and the operator should review them.
 * @param stored  texts of the columns
 */
export function documentsToLookAt(stored: Readonly<Record<JsonDocument, string | null>>): readonly string[] {
  return JSON_DOCUMENTS.flatMap((name) => {
    const text = stored[name] ?? '';
    if (text === '') return [];
    try {
      CHANNEL_DOCUMENTS[name](name === 'settings' ? withoutPreset(text) : text);
      return [];
    } catch (error) {
      if (!(error instanceof DomainError)) throw error;
      const { member, at, header, model } = error.values;
      const place = [member, at, header, model].find((value) => value !== undefined);
      return [place === undefined ? name : `${name}: ${place}`];
    }
  });
}

const MAX_DEPTH = 16;
const MAX_ENTRIES = 2_000;
const FORBIDDEN_NAMES = new Set(['__proto__', 'constructor', 'prototype']);
/** Members that decide which model is billed, how much is held, or how the answer comes back. */
const FIXED_BODY_MEMBERS = new Set([
  'model',
  'stream',
  'stream_options',
  'max_tokens',
  'max_completion_tokens',
  'max_output_tokens',
  'service_tier',
]);
const PROXY_SCHEMES = new Set(['http:', 'https:', 'socks5:', 'socks5h:']);
/**
 * Client model → upstream model, as stored text, names without blanks around them; empty = none.
 * Fails: channel_model_mapping_invalid, channel_model_mapping_cycle.
 */
export function checkModelMapping(input: JsonInput): string {
  const document = parseObject(input, 'model_mapping', 'channel_model_mapping_invalid');
  if (document === null) return '';
  const mapping = new Map<string, string>();
  let isClean = true;
  for (const [from, to] of Object.entries(document)) {
    if (typeof to !== 'string' || cleanLine(to) === '')
      throw new DomainError('channel_model_mapping_invalid');
    const [name, target] = [cleanLine(from), cleanLine(to)];
    if (name === '') throw new DomainError('channel_model_mapping_invalid');
    if (mapping.has(name))
      throw new DomainError('channel_document_twice', { document: 'model_mapping', member: name });
    isClean &&= name === from && target === to;
    mapping.set(name, target);
  }
  for (const start of mapping.keys()) refuseCycle(mapping, start);
  return isClean ? keepText(input, document) : JSON.stringify(Object.fromEntries(mapping));
}

/** A name mapped onto itself means "no mapping"; any longer way back is a mistake. */
function refuseCycle(mapping: ReadonlyMap<string, string>, start: string): void {
  const seen = new Set([start]);
  let current = start;
  for (;;) {
    const next = mapping.get(current);
    if (next === undefined || next === current) return;
    if (seen.has(next)) throw new DomainError('channel_model_mapping_cycle', { model: next.slice(0, 255) });
    seen.add(next);
    current = next;
  }
}

/**
 * Upstream status → status for the client, both 400–599. `{"429": "503"}` and `{"429": 503}` are the same.
 * Fails: channel_status_mapping_invalid.
 */
export function checkStatusMapping(input: JsonInput): string {
  const document = parseObject(input, 'status_code_mapping', 'channel_status_mapping_invalid');
  if (document === null) return '';
  const valid = Object.entries(document).every(([from, to]) => isFailureStatus(from) && isFailureStatus(to));
  if (!valid) throw new DomainError('channel_status_mapping_invalid');
  return keepText(input, document);
}

function isFailureStatus(value: unknown): boolean {
  if (typeof value !== 'number' && typeof value !== 'string') return false;
  return /^[45]\d\d$/.test(String(value));
}

/**
 * Object merged over the request body, or a list of operations. Caps only ever lower what the caller asked for.
 * Fails: channel_override_invalid, channel_override_fixed, channel_override_operation.
 */
export function checkParamOverride(input: JsonInput): string {
  const document = parseObject(input, 'param_override', 'channel_override_invalid');
  if (document === null) return '';
  if (isFullForm(document)) {
    const parsed = parseOperations(document);
    if ('operations' in parsed) {
      const unread = unreadOverridePart(document);
      if (unread?.type === 'unknown')
        throw new DomainError('channel_override_member', { member: unread.at.slice(0, 100) });
      if (unread !== undefined)
        throw new DomainError('channel_override_operation', { at: unread.at.slice(0, 100) });
      return keepText(input, document);
    }
    if (parsed.fault.type === 'fixed')
      throw new DomainError('channel_override_fixed', { member: parsed.fault.member.slice(0, 100) });
    throw new DomainError('channel_override_operation', { at: parsed.fault.at.slice(0, 100) });
  }
  // Not a member of any request: operations in another form than a list.
  if (Object.hasOwn(document, 'operations'))
    throw new DomainError('channel_override_operation', { at: 'operations' });
  const fixed = Object.keys(document).find((name) => FIXED_BODY_MEMBERS.has(name)) ?? multiplierIn(document);
  if (fixed !== undefined) throw new DomainError('channel_override_fixed', { member: fixed.slice(0, 100) });
  return keepText(input, document);
}

/**
 * Headers laid over the provider's own.
 * Fails: channel_header_override_invalid, channel_header_override_fixed, channel_document_member for an unknown placeholder,
 * channel_document_value.
 */
export function checkHeaderOverride(input: JsonInput): string {
  const document = parseObject(input, 'header_override', 'channel_header_override_invalid');
  if (document === null) return '';
  for (const [name, value] of Object.entries(document)) {
    if (typeof value !== 'string') refuseValue('header_override', name, '"…"');
    const placeholder = unknownPlaceholder(value);
    if (placeholder !== undefined) refuseMember('header_override', `${name}: ${placeholder}`);
  }
  const fault = faultOfHeaderOverride(document);
  if (fault !== undefined)
    throw new DomainError('channel_header_override_fixed', { header: fault.slice(0, 100) });
  return keepText(input, document);
}

/** Settings of a vendor's adapter. @param stored  the text before: what stands there already may stay. Fails: channel_setting_invalid, channel_document_member, channel_document_value. */
export function checkVendorSettings(input: JsonInput, stored = ''): string {
  const document = parseObject(input, 'settings', 'channel_setting_invalid');
  if (document === null) return '';
  checkMembers('settings', document, readDocument(stored));
  return keepText(input, document);
}

/**
 * Behaviour switches of a channel.
 * @param stored  the text before: what stands there already may stay
 * Fails: channel_setting_invalid, channel_document_member, channel_document_value, channel_proxy_invalid.
 */
export function checkSetting(input: JsonInput, stored = ''): string {
  const document = parseObject(input, 'setting', 'channel_setting_invalid');
  if (document === null) return '';
  const proxy = document['proxy'];
  if (proxy !== undefined && proxy !== '' && !isProxyAddress(proxy))
    throw new DomainError('channel_proxy_invalid');
  checkMembers('setting', document, readDocument(stored));
  return keepText(input, document);
}

function isProxyAddress(value: unknown): boolean {
  if (typeof value !== 'string' || !URL.canParse(value)) return false;
  const url = new URL(value);
  return PROXY_SCHEMES.has(url.protocol) && url.hostname !== '' && ['', '/'].includes(url.pathname);
}

/** Proxy of a stored setting document; empty = none. */
export function proxyOf(setting: string): string {
  const { proxy } = readDocument(setting);
  return typeof proxy === 'string' ? proxy : '';
}

/** A stored document; empty when there is none. */
function readDocument(text: string): Readonly<Record<string, unknown>> {
  const document: unknown = text === '' ? {} : JSON.parse(text);
  return isJsonObject(document) ? document : {};
}

/** Empty text and `null` mean "none"; everything else must be a JSON object within bounds. */
function parseObject(
  input: JsonInput,
  name: JsonDocument,
  code:
    | 'channel_model_mapping_invalid'
    | 'channel_status_mapping_invalid'
    | 'channel_override_invalid'
    | 'channel_header_override_invalid'
    | 'channel_setting_invalid',
): Record<string, unknown> | null {
  let document: unknown = input;
  if (typeof input === 'string') {
    if (input.trim() === '') return null;
    document = parseJson(input);
    if (document === undefined) throw new DomainError(code);
    const twice = findDuplicateKey(input);
    if (twice !== undefined)
      throw new DomainError('channel_document_twice', { document: name, member: twice.slice(0, 100) });
  }
  if (document === null) return null;
  if (!isJsonObject(document) || !isWithinBounds(document, 0)) throw new DomainError(code);
  return Object.keys(document).length === 0 ? null : document;
}

function isWithinBounds(value: unknown, depth: number): boolean {
  if (depth > MAX_DEPTH) return false;
  if (typeof value !== 'object' || value === null) return true;
  const names = Object.keys(value);
  if (names.length > MAX_ENTRIES || names.some((name) => FORBIDDEN_NAMES.has(name))) return false;
  return Object.values(value).every((member) => isWithinBounds(member, depth + 1));
}

/** A text is kept as typed; an object is written as JSON. */
const keepText = (input: JsonInput, document: Record<string, unknown>): string =>
  typeof input === 'string' ? input.trim() : JSON.stringify(document);

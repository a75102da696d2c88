import { isUtf8 } from 'node:buffer';
import { isJsonObject, parseJson } from '../../../common/parse-json.js';
import { readField } from '../../framing/json-splice.js';
import { type MultipartForm, textOfPart } from '../../framing/multipart.js';
import type { ScannedObject } from '../../framing/json-splice.js';
import type { Caller } from '../../model/call.js';
import { refusal } from '../../model/refusals.js';
import type { RelayError } from '../../model/relay-error.js';
import { MOST_TAGS, splitTags, tagText } from '../../model/tag-text.js';
import type { Warning } from '../../model/warning.js';

type Headers = Readonly<Record<string, string | string[] | undefined>>;

/** Parts of a parsed call that may name tags and end users; absent for realtime sessions, which have no body. */
export interface TaggedBody {
  readonly document: ScannedObject;
  readonly form?: MultipartForm | undefined;
}

/** A caller with the tags and the end user of one call. */
export interface TaggedCaller {
  readonly caller: Caller;
  readonly warnings: readonly Warning[];
}

const TAG_HEADERS = ['x-tollgate-tags', 'x-litellm-tags'] as const;
const END_USER_HEADERS = ['x-tollgate-end-user', 'x-litellm-end-user-id'] as const;
const END_USER_MEMBERS = ['user', 'safety_identifier'] as const;

/** Headers with tags and end users: they are for this gateway and never go upstream. */
export const TAGGING_HEADERS: ReadonlySet<string> = new Set([...TAG_HEADERS, ...END_USER_HEADERS]);

/** Those of a request. */
export const taggingHeaders = (headers: Headers): Headers =>
  Object.fromEntries([...TAGGING_HEADERS].map((name) => [name, headers[name]]));

const NO_WARNINGS: readonly Warning[] = [];
/** A larger `metadata` is not looked at. */
const MOST_METADATA_BYTES = 64 * 1_024;
/** Elements of `metadata.tags` that are read. */
const MOST_ELEMENTS = 100;

const wasCut = (setting: string): Warning => ({ setting, reason: 'longer than 64 characters: cut' });
const tooMany = (setting: string): Warning => ({ setting, reason: `more than ${MOST_TAGS} tags: left out` });

/**
 * Adds to a caller the tags and the end user that its call names. Tags of the token come first and stay. The end user is the first of
 * the headers, `user`, `safety_identifier` and `metadata.user_id` that is not empty. Never fails: what cannot be used is left out.
 */
export function tagCaller(caller: Caller, headers: Headers, body?: TaggedBody): TaggedCaller {
  if (!namesAnything(headers, body)) return { caller, warnings: NO_WARNINGS };
  const warnings: Warning[] = [];
  const metadata = body === undefined ? undefined : metadataOf(body.document);
  const tags = readTags(caller.tags ?? [], headers, metadata, warnings);
  const endUser = readEndUser(headers, body, metadata, warnings);
  if (tags.length === (caller.tags?.length ?? 0) && endUser === '') return { caller, warnings };
  return {
    caller: {
      ...caller,
      ...(tags.length === 0 ? {} : { tags }),
      ...(endUser === '' ? {} : { endUser }),
    },
    warnings,
  };
}

/** Its token needs an end user, and the call names none. */
export const lacksEndUser = ({ needsEndUser, endUser }: Caller): boolean =>
  needsEndUser === true && endUser === undefined;

export const END_USER_MISSING: RelayError = {
  ...refusal('end-user-missing'),
  kind: 'invalid-request',
  blame: 'caller',
  code: 'end_user_required',
  param: 'user',
};

/** Most calls name nothing: they are recognised without a copy of anything. */
function namesAnything(headers: Headers, body: TaggedBody | undefined): boolean {
  for (const name of TAGGING_HEADERS) if (headers[name] !== undefined) return true;
  if (body === undefined) return false;
  const { members } = body.document;
  return (
    members.has('user') ||
    members.has('metadata') ||
    members.has('safety_identifier') ||
    body.form?.parts.some(({ name }) => name === 'user' || name === 'safety_identifier') === true
  );
}

function readTags(
  fixed: readonly string[],
  headers: Headers,
  metadata: Readonly<Record<string, unknown>> | undefined,
  warnings: Warning[],
): readonly string[] {
  const tags = new Set(fixed);
  const add = (setting: string, names: readonly string[]): void => {
    let isAnyCut = false;
    let isAnyLeft = false;
    for (const name of names) {
      const { text, isCut } = tagText(name);
      if (text === '' || tags.has(text)) continue;
      if (tags.size >= MOST_TAGS) {
        isAnyLeft = true;
        continue;
      }
      tags.add(text);
      isAnyCut ||= isCut;
    }
    if (isAnyCut) warnings.push(wasCut(setting));
    if (isAnyLeft) warnings.push(tooMany(setting));
  };
  for (const name of TAG_HEADERS) {
    const value = headerText(headers, name);
    if (value !== '') add(name, splitTags(value));
  }
  const listed = metadata?.['tags'];
  if (typeof listed === 'string') add('metadata.tags', splitTags(listed));
  else if (Array.isArray(listed)) add('metadata.tags', listed.slice(0, MOST_ELEMENTS).flatMap(elementTags));
  return [...tags];
}

const elementTags = (element: unknown): readonly string[] =>
  typeof element === 'string' ? splitTags(element) : [];

function readEndUser(
  headers: Headers,
  body: TaggedBody | undefined,
  metadata: Readonly<Record<string, unknown>> | undefined,
  warnings: Warning[],
): string {
  for (const [setting, read] of endUserPlaces(headers, body, metadata)) {
    const { text, isCut } = tagText(read());
    if (text === '') continue;
    if (isCut) warnings.push(wasCut(setting));
    return text;
  }
  return '';
}

type Place = readonly [setting: string, read: () => string];

function endUserPlaces(
  headers: Headers,
  body: TaggedBody | undefined,
  metadata: Readonly<Record<string, unknown>> | undefined,
): readonly Place[] {
  const ofHeaders = END_USER_HEADERS.map((name): Place => [name, () => once(headerText(headers, name))]);
  const ofMembers = END_USER_MEMBERS.map((name): Place => [name, () => memberText(body, name)]);
  return [...ofHeaders, ...ofMembers, ['metadata.user_id', () => endUserOfMetadata(metadata?.['user_id'])]];
}

/** A header that was sent twice comes as one list: a doubled name is one. */
function once(value: string): string {
  const [first = '', ...others] = value.split(', ');
  return others.every((other) => other === first) ? first : value;
}

function memberText(body: TaggedBody | undefined, name: string): string {
  if (body === undefined) return '';
  const part = body.form?.parts.find((field) => field.name === name && field.fileName === undefined);
  if (body.form !== undefined && part !== undefined) return textOfPart(body.form, part);
  const value = body.document.members.has(name) ? readField(body.document, name) : undefined;
  return idText(value);
}

const idText = (value: unknown): string =>
  typeof value === 'string' ? value : typeof value === 'number' ? String(value) : '';

function metadataOf(document: ScannedObject): Readonly<Record<string, unknown>> | undefined {
  const span = document.members.get('metadata');
  if (span === undefined || span.end - span.start > MOST_METADATA_BYTES) return undefined;
  const value = readField(document, 'metadata');
  return isJsonObject(value) ? value : undefined;
}

/** `user_<device>_account_<account>_session_<session>`, the account often empty. */
const CLAUDE_CODE_TEXT = /^user_([^_]*)_account_([^_]*)_session_/;

/** A person has one account and several devices: the account where there is one, else the device. The session never counts. */
function endUserOfMetadata(value: unknown): string {
  const text = idText(value);
  const match = CLAUDE_CODE_TEXT.exec(text);
  if (match !== null) return match[2] || match[1] || '';
  if (!text.startsWith('{')) return text;
  const document = parseJson(text);
  if (!isJsonObject(document)) return text;
  const known = [document['account_uuid'], document['account_id'], document['device_id']].map(idText);
  const found = known.find((id) => id !== '');
  return found ?? ('session_id' in document ? '' : text);
}

/** Text of a header: bytes that are UTF-8 are read as such, others as Latin-1. */
function headerText(headers: Headers, name: string): string {
  const value = headers[name];
  const text = Array.isArray(value) ? value.join(', ') : (value ?? '');
  if (!/[\u0080-\u00ff]/.test(text) || /[^\0-\u00ff]/.test(text)) return text;
  const bytes = Buffer.from(text, 'latin1');
  return isUtf8(bytes) ? bytes.toString('utf8') : text;
}

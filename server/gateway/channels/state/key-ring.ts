import { DomainError } from '../../../common/errors/domain-error.js';
import { CHANNEL_STATUS } from './channel.codes.js';
import type { ProbePlan } from './probe-kinds.js';
import { readPlan } from './status-reason.js';
import { parseJson, isJsonObject } from '../../../common/parse-json.js';

/** Order of keys: round robin, or random. */
export type KeyRingMode = 'polling' | 'random';

/** State of a key that is off. */
export interface KeyMark {
  /** 2 = by hand, 3 = automatically. */
  readonly status: number;
  readonly reason: string;
  /** Seconds. */
  readonly time: number;
  /** The test that switched it off; absent = the channel's own. */
  readonly test?: ProbePlan;
}

/** State stored beside the keys of a channel with several (column `channel_info`). */
export interface KeyRingInfo {
  readonly mode: KeyRingMode;
  readonly size: number;
  /** Keys that are off, by position. */
  readonly marks: ReadonlyMap<number, KeyMark>;
}

/** A key that may be used. */
export interface RingKey {
  readonly index: number;
  readonly credential: string;
}

const MAX_RING_KEYS = 1_000;

/** @returns null for a channel with one key */
export function readRingInfo(text: string | null): KeyRingInfo | null {
  if (text === null || text === '') return null;
  const document: unknown = JSON.parse(text);
  if (!isJsonObject(document) || document['is_multi_key'] !== true) return null;
  const statuses = recordOf(document['multi_key_status_list']);
  const reasons = recordOf(document['multi_key_disabled_reason']);
  const times = recordOf(document['multi_key_disabled_time']);
  const tests = recordOf(document['multi_key_disabled_test']);
  const marks = new Map<number, KeyMark>();
  for (const [index, status] of Object.entries(statuses)) {
    if (status !== CHANNEL_STATUS.disabledByHand && status !== CHANNEL_STATUS.disabledAutomatically) continue;
    const reason = reasons[index];
    const time = times[index];
    const test = readPlan(tests[index]);
    marks.set(Number(index), {
      status,
      reason: typeof reason === 'string' ? reason : '',
      time: typeof time === 'number' ? time : 0,
      ...(test === undefined ? {} : { test }),
    });
  }
  const size = document['multi_key_size'];
  return {
    mode: document['multi_key_mode'] === 'polling' ? 'polling' : 'random',
    size: typeof size === 'number' ? size : 0,
    marks,
  };
}

export function writeRingInfo(info: KeyRingInfo): string {
  const entries = [...info.marks].toSorted(([left], [right]) => left - right);
  const list = <T>(value: (mark: KeyMark) => T): Record<string, T> =>
    Object.fromEntries(entries.map(([index, mark]) => [String(index), value(mark)]));
  return JSON.stringify({
    is_multi_key: true,
    multi_key_size: info.size,
    multi_key_status_list: list((mark) => mark.status),
    multi_key_disabled_reason: list((mark) => mark.reason),
    multi_key_disabled_time: list((mark) => mark.time),
    ...(entries.some(([, mark]) => mark.test !== undefined)
      ? { multi_key_disabled_test: list((mark) => mark.test) }
      : {}),
    multi_key_mode: info.mode,
  });
}

/** Keys as stored: one per line. JSON keys are kept on one line each. */
export const joinKeys = (keys: readonly string[]): string => keys.join('\n');

export const splitStoredKeys = (text: string): string[] => text.split('\n').filter((key) => key !== '');

/**
 * Keys as typed: one per line, or a JSON list of texts or objects. The same key twice counts once.
 * Fails: channel_key_invalid, channel_keys_too_many.
 */
export function splitTypedKeys(text: string, checkKey: (key: string, isJson: boolean) => string): string[] {
  const whole = text.trim();
  const typed = whole.startsWith('[') ? fromJsonList(whole) : whole.split(/\r?\n/).map((line) => line.trim());
  const keys = [...new Set(typed.filter((key) => key !== '').map((key) => checkOne(key, checkKey)))];
  assertRingSize(keys);
  return keys;
}

/** Fails: channel_keys_too_many. */
export function assertRingSize(keys: readonly string[]): void {
  if (keys.length > MAX_RING_KEYS) throw new DomainError('channel_keys_too_many', { max: MAX_RING_KEYS });
}

function checkOne(key: string, checkKey: (key: string, isJson: boolean) => string): string {
  const isJson = key.startsWith('{');
  const checked = checkKey(key, isJson);
  return isJson ? JSON.stringify(JSON.parse(checked)) : checked;
}

function fromJsonList(text: string): string[] {
  const list = parseJson(text);
  if (!Array.isArray(list)) throw new DomainError('channel_key_invalid');
  return list.map((entry: unknown) => (typeof entry === 'string' ? entry.trim() : JSON.stringify(entry)));
}

/** Keys that are not off, with their positions. */
export function usableKeys(keys: readonly string[], info: KeyRingInfo): RingKey[] {
  return keys.flatMap((credential, index) => (info.marks.has(index) ? [] : [{ index, credential }]));
}

/** The marks of the keys that stay, at their new positions. */
export function keepMarks(
  before: readonly string[],
  after: readonly string[],
  marks: ReadonlyMap<number, KeyMark>,
): Map<number, KeyMark> {
  const kept = new Map<number, KeyMark>();
  for (const [index, key] of after.entries()) {
    const mark = marks.get(before.indexOf(key));
    if (mark !== undefined) kept.set(index, mark);
  }
  return kept;
}

/** Enough to distinguish keys, too little to use: the last four characters of a long one. */
export const keyHint = (key: string): string => (key.length >= 16 ? `…${key.slice(-4)}` : '…');

const recordOf = (value: unknown): Record<string, unknown> => (isJsonObject(value) ? value : {});

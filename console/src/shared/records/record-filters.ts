import { useState } from 'react';
import { useNow } from '../value/use-now';

/** Filters of the drawing log and the task log as they stand in the address; empty = the usual. */
export const RECORD_FILTERS = { task_id: '', channel_id: '', start: '', end: '' } as const;
export type RecordFilterName = keyof typeof RECORD_FILTERS;
export type RecordFilters = Readonly<Record<RecordFilterName, string>>;

/** From when to when; seconds, undefined = no bound. */
export interface TimeSpan {
  readonly start: number | undefined;
  readonly end: number | undefined;
}

/** Value of an emptied field in the address, where nothing at all would mean the usual bound. */
export const NO_BOUND = 'any';

/** The requested span: the typed one, else the usual one. */
export function spanOf({ start, end }: RecordFilters, usual: TimeSpan): TimeSpan {
  return { start: boundOf(start, usual.start), end: boundOf(end, usual.end) };
}

function boundOf(text: string, usual: number | undefined): number | undefined {
  if (text === NO_BOUND) return undefined;
  return /^\d{1,11}$/.test(text) ? Number(text) : usual;
}

/** A bound in the address. @param seconds  undefined = none */
export function boundText(seconds: number | undefined, usual: number | undefined): string {
  if (seconds !== undefined) return String(seconds);
  return usual === undefined ? '' : NO_BOUND;
}

/** Filters of a log, in words both logs share. */
export interface RecordRequest {
  readonly taskId: string;
  readonly channelId: string;
  readonly span: TimeSpan;
  readonly asAdministrator: boolean;
}

export function recordRequest(
  filters: RecordFilters,
  usual: TimeSpan,
  asAdministrator: boolean,
): RecordRequest {
  const { task_id: taskId, channel_id: channelId } = filters;
  return { taskId, channelId, span: spanOf(filters, usual), asAdministrator };
}

const RENEWED_AFTER_SECONDS = 1_800;
const minuteOf = (seconds: number): number => Math.floor(seconds / 60) * 60;

/**
 * The minute a usual range is counted from. It stays put while one pages, and moves on when it is renewed or half an hour old, so
 * that a page left open keeps seeing what comes in.
 * @returns the minute in seconds, and a function that renews it and returns true for a new one
 */
export function useRangeMinute(): [minute: number, renew: () => boolean] {
  const now = useNow();
  const [minute, setMinute] = useState(() => minuteOf(now));
  if (now - minute > RENEWED_AFTER_SECONDS) setMinute(minuteOf(now));
  const renew = () => {
    const present = minuteOf(Date.now() / 1000);
    setMinute(present);
    return present !== minute;
  };
  return [minute, renew];
}

import { type CountedMeasure, LIMIT_MEASURES } from './limit-definition.js';

/** A limit and period that a call counts under, decided at its admission. */
export interface LimitMark {
  readonly limitId: number;
  /** Empty, or the id or value where the limit applies to each. */
  readonly value: string;
  /** Start of the period or bucket, milliseconds. */
  readonly periodStartMs: number;
  readonly measure: CountedMeasure;
}

/** Figures of a call that limits count. */
export interface CallFigures {
  /** Quota the account paid. */
  readonly quota: number;
  /** Input tokens, cached and written included. */
  readonly inputTokens: number;
  /** Output tokens, reasoning included. */
  readonly outputTokens: number;
}

/** Use of a call in the unit of a measure. */
export function usedOf(measure: CountedMeasure, { quota, inputTokens, outputTokens }: CallFigures): number {
  switch (measure) {
    case 'quota':
      return quota;
    case 'tokens':
      return inputTokens + outputTokens;
    case 'input_tokens':
      return inputTokens;
    case 'output_tokens':
      return outputTokens;
    case 'requests':
      return 1;
  }
}

/** A mark as records and rows hold it: JSON list of limit, value, start of the period and measure. */
export const markText = ({ limitId, value, periodStartMs, measure }: LimitMark): string =>
  JSON.stringify([limitId, value, periodStartMs, measure]);

/** Marks as records and rows hold them, of the texts of each. */
export const joinMarks = (texts: readonly string[]): string => `[${texts.join(',')}]`;

/** Marks as records and rows hold them: JSON list. */
export const marksText = (marks: readonly LimitMark[]): string => joinMarks(marks.map(markText));

/** Reads marks; what is none is left out, so that a record of a later version can be booked. */
export function readMarks(text: string | null | undefined): readonly LimitMark[] {
  if (text === null || text === undefined || text === '') return [];
  const list: unknown = JSON.parse(text);
  if (!Array.isArray(list)) return [];
  return list.flatMap((entry: unknown) => {
    if (!Array.isArray(entry)) return [];
    const [limitId, value, periodStartMs, measure] = entry as unknown[];
    const isMark =
      Number.isSafeInteger(limitId) &&
      typeof value === 'string' &&
      Number.isSafeInteger(periodStartMs) &&
      isCounted(measure);
    return isMark
      ? [
          {
            limitId: limitId as number,
            value,
            periodStartMs: periodStartMs as number,
            measure: measure as CountedMeasure,
          },
        ]
      : [];
  });
}

/** True for measures that books count: all but calls in flight. */
export const isCounted = (measure: unknown): measure is CountedMeasure =>
  measure !== 'in_flight' && (LIMIT_MEASURES as readonly unknown[]).includes(measure);

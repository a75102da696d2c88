/** A vendor's limits are over within a day: longer waits are no hint. */
const MAX_MS = 86_400_000;
const MS_HEADERS = ['retry-after-ms', 'x-ms-retry-after-ms'];
const ANNOUNCED = /\b(?:try again|retry) (?:in|after) (?=\d)/i;
const AMOUNT = / ?(\d{1,9}(?:\.\d{1,9})?) ?(ms|milliseconds?|[smh]|seconds?|minutes?|hours?)(?![a-z])/iy;
const UNITS_MS: Readonly<Record<string, number>> = { s: 1_000, m: 60_000, h: 3_600_000 };

type Headers = Readonly<Record<string, string | readonly string[] | undefined>>;

/**
 * Wait before the next try that a vendor requests: in milliseconds (OpenAI, Azure), in seconds or as a date
 * (https://www.rfc-editor.org/rfc/rfc9110#section-10.2.3), in its message alone, or as the reset time of an exhausted limit.
 * Anything odd is no hint.
 * @param sentence  of a refusal for a limit or for want of room; undefined = it is something else
 */
export function waitHintOf(headers: Headers, sentence: string | undefined): number | undefined {
  for (const name of MS_HEADERS) {
    const ms = plausibleWait(figureOf(headers[name]));
    if (ms !== undefined) return ms;
  }
  const said = headers['retry-after'];
  const seconds = figureOf(said);
  const wait = seconds === undefined ? untilDate(said, headers['date']) : seconds * 1_000;
  if (sentence === undefined) return plausibleWait(wait);
  return plausibleWait(wait) ?? plausibleWait(sentenceWait(sentence)) ?? plausibleWait(untilReset(headers));
}

/** A wait that may be passed on to the caller: 0 ms to a day; undefined = implausible. */
export const plausibleWait = (ms: number | undefined): number | undefined =>
  ms !== undefined && ms >= 0 && ms <= MAX_MS ? Math.ceil(ms) : undefined;

function figureOf(value: Headers[string]): number | undefined {
  return typeof value === 'string' && /^\d{1,13}(?:\.\d{1,9})?$/.test(value.trim())
    ? Number(value)
    : undefined;
}

/** Wait until a date by the vendor's own clock. */
function untilDate(until: Headers[string], now: Headers[string]): number | undefined {
  if (typeof until !== 'string' || typeof now !== 'string') return undefined;
  const wait = Date.parse(until) - Date.parse(now);
  return Number.isNaN(wait) ? undefined : wait;
}

const REMAINING = /^(?:x-|anthropic-)?ratelimit-(?:remaining(.*)|(.*)-remaining)$/;

/** The longest wait for a limit of which nothing remains (`x-ratelimit-…`, `anthropic-ratelimit-…`, `ratelimit-…`). */
function untilReset(headers: Headers): number | undefined {
  const waits = Object.keys(headers).flatMap((name) => {
    if (!REMAINING.test(name) || figureOf(headers[name]) !== 0) return [];
    const wait = resetWait(headers[name.replace('remaining', 'reset')], headers['date']);
    return wait === undefined ? [] : [wait];
  });
  return waits.length === 0 ? undefined : Math.max(...waits);
}

/** Larger figures are moments, in seconds or in milliseconds since 1970. */
const FIRST_MOMENT_S = 1_000_000_000;
const FIRST_MOMENT_MS = 1_000_000_000_000;

/** `12`, `6m0s`, `120ms`, a date, or a moment, by the vendor's own clock. */
function resetWait(reset: Headers[string], date: Headers[string]): number | undefined {
  const figure = figureOf(reset);
  if (typeof reset !== 'string') return undefined;
  if (figure === undefined) return sentenceWait(`retry in ${reset}`) ?? untilDate(reset, date);
  if (figure < FIRST_MOMENT_S) return figure * 1_000;
  const moment = figure < FIRST_MOMENT_MS ? figure * 1_000 : figure;
  return untilDate(new Date(moment).toISOString(), date);
}

/** `try again in 6m0s`, `Please retry after 45 seconds`. */
function sentenceWait(sentence: string): number | undefined {
  const announced = ANNOUNCED.exec(sentence);
  if (announced === null) return undefined;
  AMOUNT.lastIndex = announced.index + announced[0].length;
  let wait: number | undefined;
  for (let amount = AMOUNT.exec(sentence); amount !== null; amount = AMOUNT.exec(sentence)) {
    const [, figure = '', unit = ''] = amount;
    const unitMs = /^(?:ms|milli)/i.test(unit) ? 1 : (UNITS_MS[unit.charAt(0).toLowerCase()] ?? 1_000);
    wait = (wait ?? 0) + Number(figure) * unitMs;
  }
  return wait;
}

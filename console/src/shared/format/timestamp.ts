/** Local time, second by second, sortable: 2026-11-21 09:05:03. */
export function formatSeconds(seconds: number): string {
  const date = new Date(seconds * 1000);
  const two = (value: number) => String(value).padStart(2, '0');
  const day = `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}`;
  return `${day} ${two(date.getHours())}:${two(date.getMinutes())}:${two(date.getSeconds())}`;
}

const STEPS: readonly { unit: Intl.RelativeTimeFormatUnit; seconds: number }[] = [
  { unit: 'year', seconds: 31_536_000 },
  { unit: 'month', seconds: 2_592_000 },
  { unit: 'day', seconds: 86_400 },
  { unit: 'hour', seconds: 3_600 },
  { unit: 'minute', seconds: 60 },
];

/** "3 minutes ago", "in 2 days"; seconds count as now. */
export function formatRelative(seconds: number, nowSeconds: number, language: string): string {
  const words = new Intl.RelativeTimeFormat(language, { numeric: 'auto', style: 'short' });
  const difference = seconds - nowSeconds;
  for (const step of STEPS) {
    if (Math.abs(difference) >= step.seconds)
      return words.format(Math.trunc(difference / step.seconds), step.unit);
  }
  return words.format(0, 'second');
}

/** Value of a `datetime-local` input for a moment; empty for none. */
export function toInputTime(seconds: number | undefined): string {
  return seconds === undefined ? '' : formatSeconds(seconds).replace(' ', 'T').slice(0, 16);
}

/** Seconds of a `datetime-local` value; undefined when it is no date. */
export function fromInputTime(value: string): number | undefined {
  const milliseconds = new Date(value).getTime();
  return Number.isNaN(milliseconds) ? undefined : Math.floor(milliseconds / 1000);
}

/** Midnight of the local day that holds the moment. */
export function startOfDay(seconds: number): number {
  const date = new Date(seconds * 1000);
  date.setHours(0, 0, 0, 0);
  return Math.floor(date.getTime() / 1000);
}

import i18next from 'i18next';

/** Milliseconds as people read them: 840 ms, 2.4 s, 1 min 12 s, 16 h 40 min; the last two in the reader's language. */
export function formatMilliseconds(milliseconds: number): string {
  // A value that would round up to the next unit is shown in that one.
  if (milliseconds < 999.5) return `${Math.round(milliseconds)} ms`;
  const seconds = milliseconds / 1_000;
  if (seconds >= SHOWN_AS_MINUTE) return formatMinutes(seconds);
  return `${seconds.toFixed(seconds < 9.995 ? 2 : 1)} s`;
}

/** With one decimal it would be 60.0 s. */
const SHOWN_AS_MINUTE = 59.95;

function formatMinutes(seconds: number): string {
  const whole = Math.round(seconds);
  const minutes = Math.floor(whole / 60);
  return minutes < 60
    ? i18next.t('common.span.minutes', { minutes, seconds: whole % 60 })
    : i18next.t('common.span.hours', { hours: Math.floor(minutes / 60), minutes: minutes % 60 });
}

export type SpeedTone = 'fast' | 'fair' | 'slow' | 'bad';

/** Colour step of a channel's response time: up to 1 s, 3 s, 5 s, above. */
export function responseTimeTone(milliseconds: number): SpeedTone {
  if (milliseconds <= 1_000) return 'fast';
  if (milliseconds <= 3_000) return 'fair';
  if (milliseconds <= 5_000) return 'slow';
  return 'bad';
}

/** Colour step of a call's duration: under 101 s, under 300 s, above. */
export function durationTone(seconds: number): SpeedTone {
  if (seconds < 101) return 'fast';
  return seconds < 300 ? 'slow' : 'bad';
}

/** Colour step of the time to the first token: under 3 s, under 10 s, above. */
export function firstTokenTone(milliseconds: number): SpeedTone {
  if (milliseconds < 3_000) return 'fast';
  return milliseconds < 10_000 ? 'slow' : 'bad';
}

/** Duration of a piece of work, from milliseconds to words: 0.4 s, 12 s, 2 min 5 s. */
export function formatSpan(milliseconds: number): string {
  const seconds = milliseconds / 1_000;
  return seconds < SHOWN_AS_MINUTE ? `${Number(seconds.toFixed(1))} s` : formatMinutes(seconds);
}

/** Colour step of a drawing or a task: up to a minute, above. */
export function spanTone(milliseconds: number): SpeedTone {
  return milliseconds <= 60_000 ? 'fast' : 'bad';
}

import { formatSeconds } from '../format/timestamp';

/** Last moment a browser can name, in seconds. */
const LAST_SECONDS = 8.64e12;

interface ExactTimeProps {
  /** Since 1970, milliseconds after the point. */
  seconds: number;
}

/** A moment to the second, on one line; `isMoment` is true when there is one. */
export function ExactTime({ seconds }: ExactTimeProps) {
  return (
    <time dateTime={new Date(seconds * 1000).toISOString()} style={{ whiteSpace: 'nowrap' }}>
      {formatSeconds(seconds)}
    </time>
  );
}

/** Upstreams write the times of their work themselves: 0 is none, and what no calendar holds is none either. */
export const isMoment = (seconds: number): boolean => seconds > 0 && seconds <= LAST_SECONDS;

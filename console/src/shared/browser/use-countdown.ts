import { useEffect, useState } from 'react';

interface Countdown {
  /** Whole seconds until it is over; 0 when nothing is counted. */
  readonly leftSeconds: number;
  readonly start: () => void;
}

/** Counts down by the clock, so that a sleeping tab does not stretch the time. */
export function useCountdown(seconds: number): Countdown {
  const [endsAt, setEndsAt] = useState(0);
  const [now, setNow] = useState(0);
  const leftSeconds = Math.max(0, Math.ceil((endsAt - now) / 1000));
  const isRunning = leftSeconds > 0;
  useEffect(() => {
    if (!isRunning) return;
    const timer = setInterval(() => setNow(Date.now()), 250);
    return () => clearInterval(timer);
  }, [isRunning]);
  return {
    leftSeconds,
    start: () => {
      setNow(Date.now());
      setEndsAt(Date.now() + seconds * 1000);
    },
  };
}

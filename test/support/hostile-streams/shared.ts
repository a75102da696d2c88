/** An answer of an upstream that means to cost the gateway more than it costs to send. */
export interface HostileStream {
  readonly name: string;
  /** Format of the vendor, as in `FORMAT_ROUTES`. */
  readonly format: 'chat' | 'responses' | 'messages' | 'gemini';
  readonly body: Buffer;
  /** One document instead of events. */
  readonly isWhole?: true;
}

export const MANY = 100_000;
/** Longest event the gateway reads is a little longer. */
const EVENT_BYTES = 4_000_000;

export const sse = (events: readonly unknown[]): Buffer =>
  Buffer.from(
    events.map((event) => `data: ${typeof event === 'string' ? event : JSON.stringify(event)}\n\n`).join(''),
  );
export const named = (events: readonly { readonly type: string }[]): Buffer =>
  Buffer.from(events.map((event) => `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`).join(''));
export const times = <T>(count: number, make: (index: number) => T): T[] =>
  Array.from({ length: count }, (_, index) => make(index));
/** Entries enough for one event. */
export const packed = (entry: (index: number) => unknown): unknown[] => {
  const size = JSON.stringify(entry(MANY)).length + 1;
  return times(Math.floor(EVENT_BYTES / size), entry);
};

export const logprob = { token: 'a', logprob: -1, bytes: [97], top_logprobs: [] };

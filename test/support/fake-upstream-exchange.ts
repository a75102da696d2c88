import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http';

/** One accepted request, and how it ended. */
export interface JournalEntry {
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly rawBody: Buffer;
  /** Parsed body; an empty object when there was none. */
  readonly body: Readonly<Record<string, unknown>>;
  readonly model: string;
  readonly startedAtMs: number;
  chunksSent: number;
  bytesSent: number;
  /** `cancelled`: the gateway closed the connection; `cut`: we did. */
  ending: 'open' | 'completed' | 'cancelled' | 'cut';
  endedAtMs: number | undefined;
}

/** Tools of a behaviour. */
export interface FakeExchange {
  /** Its address, and its models. */
  readonly upstream: { readonly url: string; readonly models: readonly string[] };
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly entry: JournalEntry;
  /** True once the gateway hung up. */
  readonly isGone: boolean;
  /** Writes one chunk and waits while the connection is full. False = the gateway is gone. */
  write(bytes: string | Buffer): Promise<boolean>;
  /** Tokens this exchange claims to have used, for the totals a bill is compared with. */
  claim(promptTokens: number, completionTokens: number): void;
  /** Resets the connection. */
  cut(): void;
}

/** Answer of the fake upstream for a model. */
export type Behaviour = (exchange: FakeExchange) => void | Promise<void>;

/** One model of the faults that are played: what the upstream does, and what a whole answer of it costs. */
export interface ModelScript {
  readonly tokens: number;
  readonly gapMs: number;
  /** Wait before an answer that is not streamed. */
  readonly wholeMs: number;
  readonly reportsUsage: boolean;
  /** Quota of a whole answer. */
  readonly charge: number;
}

/** Prompt tokens every answer reports, and what the gateway counts for the load's prompts. */
export const PROMPT_TOKENS = 10;

const script = (
  tokens: number,
  gapMs: number,
  wholeMs: number,
  extra: Partial<ModelScript> = {},
): ModelScript => ({
  tokens,
  gapMs,
  wholeMs,
  reportsUsage: true,
  charge: PROMPT_TOKENS + 2 * tokens,
  ...extra,
});

export const MODEL_SCRIPTS = {
  'fx-std': script(50, 20, 300),
  'fx-quick': script(50, 0, 0),
  'fx-long': script(200, 50, 300),
  'fx-nousage': script(50, 20, 300, { reportsUsage: false }),
  'fx-json': script(50, 20, 300),
  'fx-price': script(50, 0, 20, { charge: 1_000 }),
  'fx-free': script(50, 0, 20, { charge: 0 }),
} as const satisfies Record<string, ModelScript>;

export type ModelName = keyof typeof MODEL_SCRIPTS;
export const MODEL_NAMES = Object.keys(MODEL_SCRIPTS) as ModelName[];

/** Fault an upstream plays. */
export type UpstreamFault =
  | { readonly kind: 'none' }
  /** Every n-th stream is reset after so many chunks. */
  | { readonly kind: 'cut'; readonly everyNth: number; readonly afterChunks: number }
  /** One of its two addresses resets before the first byte. */
  | { readonly kind: 'first-address-resets' }
  /** Takes calls and never answers. */
  | { readonly kind: 'hung' }
  /** Answers every call with 500. */
  | { readonly kind: 'errors' }
  /** Answers wait until the fault is over. */
  | { readonly kind: 'held' };

/** One call the upstream took. */
export interface JournalEntry {
  /** Number the load wrote into the call; −1 = none was found. */
  readonly marker: number;
  readonly model: string;
  readonly address: string;
  chunksSent: number;
  /** completed: everything was sent; cancelled: the gateway hung up; cut: we did; refused: we answered with an error. */
  ending: 'open' | 'completed' | 'cancelled' | 'cut' | 'refused';
}

/** A full limit, as far as its caller may know it. */
export interface LimitRefusal {
  readonly limitId: number;
  /** Text of the operator, at most 100 characters. */
  readonly name: string;
  readonly scope: string;
  /** quota, tokens, input_tokens, output_tokens, requests, in_flight. */
  readonly measure: string;
  /** In the unit of the measure. */
  readonly amount: number;
  /** Empty = in flight. */
  readonly period: string;
  /** When the limit opens again, milliseconds; null = never by itself, or when a running call ends (`in_flight`). */
  readonly opensAtMs: number | null;
  /** The call alone needs more than the amount: it never fits. */
  readonly neverFits?: { readonly needed: number };
  /** Limit over several accounts: neither its use nor its remainder is shown. */
  readonly shared: boolean;
  /** Limit of a channel or of its tag. */
  readonly channel: boolean;
}

/** One limit of a caller as of admission. */
export interface LimitFigure {
  readonly limit: number;
  readonly remaining: number;
  /** Milliseconds. */
  readonly resetsAtMs: number;
}

/** The narrowest request limit and token limit of a caller as of admission; absent = it has none. */
export interface LimitFigures {
  readonly requests?: LimitFigure;
  readonly tokens?: LimitFigure;
}

/** A full limit as client APIs show it. Nothing in it comes from the calls of another account. */
export interface ShownLimit {
  readonly name: string;
  readonly scope: string;
  readonly measure: 'money' | 'tokens' | 'input_tokens' | 'output_tokens' | 'requests' | 'in_flight';
  /** US dollars, tokens, requests, or calls at once. */
  readonly amount: number;
  readonly unit: 'usd' | 'tokens' | 'requests' | 'calls';
  /** Null for calls at once. */
  readonly period: string | null;
  /** RFC 3339 in UTC, whole seconds; null = unknown, or never by itself. */
  readonly resets_at: string | null;
  /** In `unit`; absent unless the call needs more than the limit ever allows. */
  readonly needed?: number;
}

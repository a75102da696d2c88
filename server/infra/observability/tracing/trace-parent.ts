/** W3C Trace Context, as it stands in headers. */
export interface TraceParent {
  /** 32 hexadecimal digits, not all zero. */
  readonly traceId: string;
  /** 16 hexadecimal digits, not all zero. */
  readonly spanId: string;
  readonly flags: number;
  /** `tracestate`; empty = none. */
  readonly state: string;
}

const TRACE_PARENT = /^([0-9a-f]{2})-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})(-.*)?$/;
const MAX_STATE_CHARACTERS = 512;

/** @returns undefined when there is none, or when it is not well-formed: a trace then begins here */
export function readTraceParent(
  header: string | string[] | undefined,
  state: string | string[] | undefined,
): TraceParent | undefined {
  const [, version = '', traceId = '', spanId = '', flags = '', rest] =
    TRACE_PARENT.exec(typeof header === 'string' ? header.trim() : '') ?? [];
  const isKnown = version !== '' && version !== 'ff' && !(version === '00' && rest !== undefined);
  if (!isKnown || /^0+$/.test(traceId) || /^0+$/.test(spanId)) return undefined;
  const text = Array.isArray(state) ? state.join(',') : (state ?? '');
  return {
    traceId,
    spanId,
    flags: Number.parseInt(flags, 16) & 1,
    state: text.length <= MAX_STATE_CHARACTERS ? text : '',
  };
}

export function writeTraceParent({ traceId, spanId, flags, state }: TraceParent): Record<string, string> {
  const traceparent = `00-${traceId}-${spanId}-${(flags & 1).toString(16).padStart(2, '0')}`;
  return state === '' ? { traceparent } : { traceparent, tracestate: state };
}

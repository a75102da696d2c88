import { Agent, request, type IncomingMessage } from 'node:http';
import type { ChaosToken } from '../rig/accounts.js';
import type { CallRecord, Outcome } from './history.js';
import { endMarkerOf, questionOf, type Shape } from './shapes.js';

/** A call that hangs is a finding; this only makes the run end. */
const GIVE_UP_MS = 90_000;
/** A token of the answer; usage reports contain the word "token". */
const TOKEN = /tok(?!en)/g;
/** An end marker may be split over two reads: so much of what came before is looked at again. */
const TAIL_BYTES = 64;

export interface PlacedCall {
  readonly url: string;
  readonly agent: Agent;
  readonly marker: number;
  readonly shape: Shape;
  readonly token: ChaosToken;
  /** Chunks after which this client hangs up; undefined = it stays. */
  readonly leavesAfter: number | undefined;
  readonly onEnd: (record: CallRecord) => void;
}

/** Sends one call and writes down what its client sees. Never fails: failures are what is written down. */
export function placeCall(call: PlacedCall): CallRecord {
  const { shape, marker, token } = call;
  const record: CallRecord = {
    marker,
    shape,
    tokenId: token.id,
    askedAtMs: performance.now(),
    headAtMs: undefined,
    endedAtMs: undefined,
    status: 0,
    callId: undefined,
    chunks: 0,
    sawEnd: false,
    outcome: 'open' as const,
    code: '',
    retryAfter: undefined,
  };
  const question = questionOf(shape, marker, token.key);
  const outgoing = request(`${call.url}${question.path}`, {
    method: 'POST',
    agent: call.agent,
    headers: {
      ...question.headers,
      'content-type': 'application/json',
      'content-length': Buffer.byteLength(question.body),
    },
  });
  let isOver = false;
  const finish = (outcome: Outcome, code = record.code): void => {
    if (isOver) return;
    isOver = true;
    clearTimeout(timer);
    record.outcome = outcome;
    record.code = code;
    record.endedAtMs = performance.now();
    call.onEnd(record);
  };
  const timer = setTimeout(() => {
    finish(record.status === 0 ? 'failed' : 'cut', 'hung');
    outgoing.destroy();
  }, GIVE_UP_MS);
  outgoing.on('error', (error: NodeJS.ErrnoException) =>
    finish(record.status === 0 ? 'failed' : 'cut', error.code ?? 'reset'),
  );
  outgoing.on('response', (response) => {
    const leave = (): void => {
      finish('left');
      outgoing.destroy();
    };
    readReply(record, response, call.leavesAfter, leave, finish);
  });
  outgoing.end(question.body);
  return record;
}

function readReply(
  record: CallRecord,
  response: IncomingMessage,
  leavesAfter: number | undefined,
  leave: () => void,
  finish: (outcome: Outcome, code?: string) => void,
): void {
  record.headAtMs = performance.now();
  record.status = response.statusCode ?? 0;
  const id = response.headers['x-request-id'];
  record.callId = typeof id === 'string' ? id : undefined;
  record.retryAfter = response.headers['retry-after'];
  const endMarker = endMarkerOf(record.shape);
  let tail = '';
  let body = '';
  response.on('data', (bytes: Buffer) => {
    const text = bytes.toString('latin1');
    if (record.status === 200 && record.shape.isStreamed) {
      record.chunks += text.match(TOKEN)?.length ?? 0;
      tail += text;
      record.sawEnd ||= tail.includes(endMarker);
      tail = tail.slice(-TAIL_BYTES);
      if (leavesAfter !== undefined && record.chunks >= leavesAfter && !record.sawEnd) leave();
    } else if (body.length < 4_096) body += text;
  });
  response.on('error', () => undefined);
  response.on('close', () => {
    if (record.status === 200) {
      record.sawEnd = response.complete && (record.sawEnd || !record.shape.isStreamed);
      finish(record.sawEnd ? 'ok' : 'cut', record.sawEnd ? '' : 'no end');
      return;
    }
    // Without our own id it was not the gateway that answered.
    finish(record.callId === undefined ? 'failed' : 'refused', codeIn(body, record.status));
  });
}

/** Code of a refusal in any dialect, and for faults of the gateway the beginning of its message. */
function codeIn(body: string, status: number): string {
  const inside = body.slice(body.indexOf('"error"') + 1);
  const named = ['code', 'type', 'status'].map(
    (name) => new RegExp(`"${name}":\\s*"([a-z_A-Z]+)"`).exec(inside)?.[1],
  );
  const code = named.find((word) => word !== undefined) ?? '';
  if (status < 500) return code;
  const message = /"message":\s*"([^"]{0,60})/.exec(inside)?.[1] ?? body.slice(0, 60);
  return `${code} "${message}…"`;
}

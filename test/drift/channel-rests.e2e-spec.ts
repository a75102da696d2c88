import { describe, expect, it } from '@jest/globals';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { RelayError } from '../../server/relay-core/model/relay-error.js';
import type {
  ChannelCircuitBreaker,
  CircuitTarget,
} from '../../server/gateway/channels/state/channel-circuit-breaker.js';
import { StoredChannelHealth } from '../../server/gateway/channels/routing/channel-health.service.js';
import { aRoute } from '../support/memory-ports.js';

type UpstreamError = Extract<RelayError, { blame: 'upstream' }>;

/** Every kind, each once: the compiler refuses a table that leaves one out. */
const KINDS: Readonly<Record<UpstreamError['kind'], true>> = {
  'upstream-key-refused': true,
  'upstream-quota-spent': true,
  'upstream-rate-limited': true,
  'upstream-overloaded': true,
  'upstream-timeout': true,
  'upstream-unreachable': true,
  'upstream-request-rejected': true,
  'upstream-malformed': true,
  'upstream-broken': true,
};

const page = readFileSync(join(import.meta.dirname, '../../docs/operating/channels.md'), 'utf8');

/** Rows of the page: the kind, with its status where it depends on one → the subject that rests. */
const said = new Map(
  [...page.matchAll(/^\| (`upstream-[^|]+?) \| ([^|]+?) \| [^|]+ \|$/gm)].flatMap(
    ([, kinds = '', rests = '']) => {
      const condition = / (with \d+|otherwise)$/.exec(kinds)?.[1] ?? '';
      return [...kinds.matchAll(/`([^`]+)`/g)].map(
        ([, kind]) => [`${kind} ${condition}`.trim(), rests] as const,
      );
    },
  ),
);

/** Effect of one failure on the circuit breaker, in the words of the page. */
function restAfter(kind: UpstreamError['kind'], upstreamStatus?: number): string {
  const seen: string[] = [];
  const whole = ({ model }: CircuitTarget): string => (model === '' ? 'the channel' : 'the model');
  const atOnce = (target: CircuitTarget): number => seen.push(`${whole(target)}, at once`);
  const breaker = {
    openNow: atOnce,
    openForRetryAfter: atOnce,
    recordFailure: (target: CircuitTarget) =>
      seen.push(`${whole(target)}, once half of 20 calls in 30 s failed`),
  } as unknown as ChannelCircuitBreaker;
  const unused = undefined as never;
  const health = new StoredChannelHealth(breaker, unused);
  const error: UpstreamError = {
    kind,
    blame: 'upstream',
    message: 'no',
    ...(upstreamStatus === undefined ? {} : { upstreamStatus }),
  };
  health.recordFailure(aRoute({ autoBan: false }), error, { kind: 'chat', model: 'm', startedAtMs: 0 });
  return seen.join(' and ') || 'nothing';
}

describe('docs/operating/channels.md: when a channel is paused', () => {
  const done = (Object.keys(KINDS) as UpstreamError['kind'][]).flatMap(
    (kind): (readonly [string, string])[] =>
      kind === 'upstream-key-refused'
        ? [
            [`${kind} with 403`, restAfter(kind, 403)],
            [`${kind} otherwise`, restAfter(kind, 401)],
          ]
        : [[kind, restAfter(kind)]],
  );

  it('has a row for each kind of failure of an upstream, and no other', () => {
    expect([...said.keys()].sort()).toEqual(done.map(([kind]) => kind).sort());
  });

  it.each(done)('shows which channels rest after %s', (kind, rests) => {
    expect(said.get(kind)).toBe(rests);
  });
});

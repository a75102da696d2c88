import { describe, expect, it } from '@jest/globals';
import { aRoute } from '../../../../test/support/memory-ports.js';
import type { RelayError } from '../../../relay-core/model/relay-error.js';
import type { ChannelCircuitBreaker, CircuitTarget } from '../state/channel-circuit-breaker.js';
import { StoredChannelHealth } from './channel-health.service.js';
import type { ChannelAutoDisable } from './channel-auto-disable.js';

/** When the channel was request. */
const STARTED_MS = 7;

type UpstreamError = RelayError & { readonly blame: 'upstream' };

function failed(error: Partial<UpstreamError> | RelayError, autoBan = true): unknown[] {
  const done: unknown[] = [];
  const note =
    (name: string) =>
    ({ model }: CircuitTarget, ...more: readonly unknown[]) =>
      void done.push([name, model === '' ? 'channel' : model, ...more]);
  const health = new StoredChannelHealth(
    {
      recordFailure: note('failure'),
      openNow: note('rest'),
      openForRetryAfter: note('rest as request'),
    } as unknown as ChannelCircuitBreaker,
    {
      confirmAndDisable: () => done.push('confirmAndDisable'),
      confirmAtMostOncePerMinute: () => done.push('confirmAndDisable now and then'),
    } as unknown as ChannelAutoDisable,
  );
  health.recordFailure(aRoute({ autoBan }), { blame: 'upstream', message: 'no', ...error } as RelayError, {
    kind: 'chat',
    model: 'gpt-test',
    startedAtMs: STARTED_MS,
  });
  return done;
}

describe('StoredChannelHealth', () => {
  it.each<[Partial<UpstreamError>, unknown]>([
    [{ kind: 'upstream-rate-limited', retryAfterMs: 5 }, ['rest as request', 'gpt-test', 5]],
    [{ kind: 'upstream-rate-limited' }, ['rest as request', 'gpt-test', undefined]],
    [{ kind: 'upstream-quota-spent' }, ['rest as request', 'channel', 60_000]],
    [{ kind: 'upstream-quota-spent', retryAfterMs: 5 }, ['rest as request', 'channel', 5]],
    [{ kind: 'upstream-key-refused', upstreamStatus: 401 }, ['rest', 'channel', STARTED_MS]],
    [{ kind: 'upstream-key-refused', upstreamStatus: 403 }, ['rest', 'gpt-test', STARTED_MS]],
    [{ kind: 'upstream-unreachable' }, ['failure', 'channel', STARTED_MS]],
    [{ kind: 'upstream-overloaded' }, ['failure', 'gpt-test', STARTED_MS]],
    [{ kind: 'upstream-timeout' }, ['failure', 'gpt-test', STARTED_MS]],
    [{ kind: 'upstream-malformed' }, ['failure', 'gpt-test', STARTED_MS]],
    [{ kind: 'upstream-broken' }, ['failure', 'gpt-test', STARTED_MS]],
  ])('draws from %j: %j', (error, consequence) => {
    expect(failed(error)).toEqual([consequence, 'confirmAndDisable']);
    expect(failed(error, false)).toEqual([consequence]);
  });

  it('opens no circuit for a refused request, and confirms once in a while', () => {
    expect(failed({ kind: 'upstream-request-rejected' })).toEqual(['confirmAndDisable now and then']);
    expect(failed({ kind: 'upstream-request-rejected' }, false)).toEqual([]);
  });

  it.each<RelayError>([
    { kind: 'client-gone', blame: 'caller', message: '' },
    { kind: 'internal', blame: 'gateway', message: '' },
  ])('blames no channel for failures of others: %j', (error) => {
    expect(failed(error)).toEqual([]);
  });
});

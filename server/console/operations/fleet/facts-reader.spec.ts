import { describe, expect, it } from '@jest/globals';
import { NOTHING_WRONG } from '../../../../test/support/observations.js';
import { MetricsRegistry } from '../../../infra/observability/metrics-registry.js';
import type { MailHealth } from '../../../base/notifications/mail/mail-health.js';
import type { OrderIncidents } from '../../wallet/orders/order-incidents.js';
import type { Thresholds } from '../model/observation.js';
import type { BooksCheck } from '../money-check/books-check.js';
import type { ChannelFacts } from './facts-reader.js';
import { FactsReader } from './facts-reader.js';
import { SourceReadings } from './source-readings.js';

const { modelsOut, balances, channelNames } = NOTHING_WRONG;

async function read(figures: MetricsRegistry, mail: () => Promise<null> = async () => null) {
  const reader = new FactsReader(
    { read: async () => ({ modelsOut, balances, channelNames }) } as unknown as ChannelFacts,
    { newest: async () => null } as unknown as BooksCheck,
    { read: async () => [] } as unknown as OrderIncidents,
    { currentFailure: mail } as unknown as MailHealth,
    figures,
  );
  const sources = new SourceReadings();
  return { sources, facts: await reader.read(sources, {} as Thresholds, []) };
}

describe('FactsReader', () => {
  it('counts reservations of accounts, which include those of tokens', async () => {
    const figures = new MetricsRegistry();
    const perScope = (user: number, token: number) => () => [
      { labels: { scope: 'user' }, value: user },
      { labels: { scope: 'token' }, value: token },
    ];
    figures.gauge('tollgate_reserved_quota', 'q', perScope(500, 200), ['scope']);
    figures.gauge('tollgate_reservation_oldest_seconds', 'o', perScope(3, 9), ['scope']);
    expect((await read(figures)).facts.reserved).toEqual({ quota: 500, oldestSeconds: 9 });
  });

  it('returns null, not 0, for an unknown reserved quota', async () => {
    expect((await read(new MetricsRegistry())).facts.reserved).toEqual({ quota: null, oldestSeconds: null });
  });

  it('names the rules without a source, and reads the rest', async () => {
    const { sources, facts } = await read(new MetricsRegistry(), () => Promise.reject(new Error('away')));
    expect([...sources.unread.keys()]).toEqual(['mail-failing']);
    expect(facts).toMatchObject({ mail: null, orders: [], booksCheck: null });
  });
});

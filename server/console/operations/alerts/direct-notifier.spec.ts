import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Logger } from '@nestjs/common';
import { FakeClock } from '../../../../test/support/fake-clock.js';
import { momentOf } from '../../../common/moment.js';
import type { Env } from '../../../config/env.js';
import { MemorySharedStore } from '../../../infra/shared-store/memory-shared-store.js';
import { OPTION_FALLBACKS, type OptionValues } from '../../../base/options/option-catalogue.js';
import type { OptionsService } from '../../../base/options/options.service.js';
import type { Finding } from '../model/finding.js';
import { AlarmLeases } from './alarm-leases.js';
import type { AlertMessage } from './alert-messages.js';
import type { AlertNotifier } from './alert-notifier.js';
import type { AlertStore } from './alert-store.js';
import { DirectNotifier, NotifiedOutages } from './direct-notifier.js';

function workers(options: Partial<OptionValues> = { AlertsEnabled: true }) {
  const clock = new FakeClock();
  const store = new MemorySharedStore(clock, 'epoch');
  const told: string[] = [];
  const kept: unknown[] = [];
  const worker = (workerIndex: number): NotifiedOutages =>
    new NotifiedOutages(
      new DirectNotifier(
        new AlarmLeases(store, { workerIndex } as Env),
        {
          notify: async ([news]: readonly AlertMessage[]) => {
            told.push(`${workerIndex} ${news?.rule} ${news?.phase}`);
            return { reached: 1, fault: '' };
          },
        } as unknown as AlertNotifier,
        {
          recordResolved: async (_finding: unknown, times: unknown) => void kept.push(times),
        } as unknown as AlertStore,
        { values: () => ({ ...OPTION_FALLBACKS, ...options }) } as unknown as OptionsService,
        clock,
      ),
    );
  const finding = (sinceMs: number): Finding => ({
    rule: 'database-away',
    subject: '',
    severity: 'fault',
    facts: {},
    sinceMs: momentOf(sinceMs),
    notifyAfterMs: 60_000,
  });
  return { clock, told, kept, worker, finding };
}

describe('NotifiedOutages', () => {
  beforeAll(() => Logger.overrideLogger(false));
  afterAll(() => Logger.overrideLogger(['log', 'warn', 'error', 'fatal']));

  it('sends a lasting fault once, and its resolution', async () => {
    const { clock, told, kept, worker, finding } = workers();
    const outages = worker(0);
    const outage = finding(clock.nowMs());
    clock.advance(59_999);
    await outages.update([outage]);
    expect(told).toEqual([]);
    clock.advance(1);
    await outages.update([outage]);
    await outages.update([outage]);
    const notifiedAtMs = clock.nowMs();
    clock.advance(5_000);
    await outages.update([]);
    await outages.update([]);
    expect(told).toEqual(['0 database-away begun', '0 database-away over']);
    expect(kept).toEqual([{ notifiedAtMs, overAtMs: notifiedAtMs + 5_000 }]);
  });

  it('leaves it to one worker, which also announces the end', async () => {
    const { clock, told, worker, finding } = workers();
    const [one, other] = [worker(0), worker(1)];
    const outage = finding(clock.nowMs() - 60_000);
    for (const outages of [one, other]) await outages.update([outage]);
    for (const outages of [other, one]) await outages.update([]);
    expect(told).toEqual(['0 database-away begun', '0 database-away over']);
  });

  it('sends a fault again that fires a minute after its resolution', async () => {
    const { clock, told, worker, finding } = workers();
    const [one, other] = [worker(0), worker(1)];
    await one.update([finding(clock.nowMs() - 60_000)]);
    await one.update([]);
    clock.advance(60_000);
    await other.update([finding(clock.nowMs() - 60_000)]);
    expect(told.at(-1)).toBe('1 database-away begun');
  });

  it.each<[string, Partial<OptionValues>]>([
    ['alerts are off', { AlertsEnabled: false }],
    ['the rule is off', { AlertsEnabled: true, AlertRulesOff: ['database-away'] }],
  ])('sends nothing while %s', async (_, options) => {
    const { clock, told, worker, finding } = workers(options);
    const outages = worker(0);
    await outages.update([finding(clock.nowMs() - 60_000)]);
    await outages.update([]);
    expect(told).toEqual([]);
  });
});

import { describe, expect, it } from '@jest/globals';
import { DomainError } from '../../common/errors/domain-error.js';
import { MemorySharedStore } from '../../infra/shared-store/memory-shared-store.js';
import { FakeClock } from '../../../test/support/fake-clock.js';
import { OPTION_FALLBACKS, type OptionValues } from '../options/option-catalogue.js';
import { ChannelSchedule } from './channel-schedule.service.js';

type Dependencies = ConstructorParameters<typeof ChannelSchedule>;

const ON = {
  'monitor_setting.auto_test_channel_enabled': true,
  'monitor_setting.auto_test_channel_minutes': 10,
} as const;

/** Instances of the gateway that share a store and a clock. */
function instances(
  count: number,
  options: Partial<OptionValues>,
  testAll: () => Promise<void> = async () => undefined,
) {
  const clock = new FakeClock();
  const store = new MemorySharedStore(clock, 'epoch');
  const rounds: string[] = [];
  const values = { ...OPTION_FALLBACKS, ...options };
  const schedules = Array.from({ length: count }, (_none, index) => {
    const schedule = new ChannelSchedule(
      { values: () => values } as unknown as Dependencies[0],
      {
        testAll: async (mode: string) => {
          rounds.push(`${index}:${mode}`);
          await testAll();
        },
      } as unknown as Dependencies[1],
      store,
      clock,
    );
    schedule.onApplicationBootstrap();
    return schedule;
  });
  const pass = async (minutes: number): Promise<void> => {
    for (let step = 0; step < minutes * 2; step += 1) {
      clock.advance(30_000);
      // The tick, its lease and its round are a few turns of the queue.
      for (let turn = 0; turn < 20; turn += 1) await Promise.resolve();
    }
  };
  return { rounds, pass, stop: () => schedules.forEach((schedule) => schedule.onApplicationShutdown()) };
}

describe('scheduled tests of channels', () => {
  it('runs one round per period over all instances', async () => {
    const { rounds, pass, stop } = instances(3, ON);
    await pass(29);
    expect(rounds).toHaveLength(3);
    expect(new Set(rounds.map((round) => round.split(':')[1]))).toEqual(new Set(['scheduled_all']));
    stop();
    await pass(20);
    expect(rounds).toHaveLength(3);
  });

  it('does nothing while it is off', async () => {
    const { rounds, pass, stop } = instances(1, {});
    await pass(30);
    stop();
    expect(rounds).toEqual([]);
  });

  it('passes the mode on, and goes on after a round that could not start or failed', async () => {
    let turn = 0;
    const { rounds, pass, stop } = instances(
      1,
      { ...ON, 'monitor_setting.channel_test_mode': 'passive_recovery' },
      async () => {
        turn += 1;
        if (turn === 1) throw new DomainError('channel_test_running');
        if (turn === 2) throw new Error('the database is away');
      },
    );
    await pass(31);
    stop();
    expect(rounds).toEqual(Array.from(rounds, () => '0:passive_recovery'));
    expect(rounds.length).toBeGreaterThanOrEqual(3);
  });
});

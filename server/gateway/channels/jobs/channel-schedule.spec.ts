import { describe, expect, it } from '@jest/globals';
import { DomainError } from '../../../common/errors/domain-error.js';
import { OPTION_FALLBACKS, type OptionValues } from '../../../base/options/option-catalogue.js';
import { ChannelSchedule } from './channel-schedule.service.js';

type Dependencies = ConstructorParameters<typeof ChannelSchedule>;

const ON = {
  'monitor_setting.auto_test_channel_enabled': true,
  'monitor_setting.auto_test_channel_minutes': 10,
} as const;

function schedule(options: Partial<OptionValues>, testAll: () => Promise<void> = async () => undefined) {
  const jobs: string[] = [];
  let values = { ...OPTION_FALLBACKS, ...options };
  const service = new ChannelSchedule(
    { values: () => values } as unknown as Dependencies[0],
    {
      testAll: async (mode: string) => {
        jobs.push(mode);
        await testAll();
      },
    } as unknown as Dependencies[1],
  );
  const turn = (confirm: () => Promise<void>): Promise<void> => service.run({ confirm });
  return {
    periodMs: () => service.periodMs(),
    run: () => turn(async () => undefined),
    overtaken: () => turn(() => Promise.reject(new Error('taken over'))),
    change: (next: Partial<OptionValues>) => void (values = { ...values, ...next }),
    jobs,
  };
}

describe('scheduled tests of channels', () => {
  it('runs one job for all instances, at the current interval of the options, and none while they are off', () => {
    const { periodMs, change } = schedule(ON);
    expect(periodMs()).toBe(600_000);
    change({ 'monitor_setting.auto_test_channel_minutes': 5 });
    expect(periodMs()).toBe(300_000);
    change({ 'monitor_setting.auto_test_channel_enabled': false });
    expect(periodMs()).toBeNull();
  });

  it('passes the mode on, and accepts a run started by hand as its own', async () => {
    const { run, jobs } = schedule(
      { ...ON, 'monitor_setting.channel_test_mode': 'passive_recovery' },
      async () => {
        throw new DomainError('channel_test_running');
      },
    );
    await run();
    expect(jobs).toEqual(['passive_recovery']);
  });

  it('fails the job with its error, and starts nothing on a worker that lost its lease', async () => {
    const { run, overtaken, jobs } = schedule(ON, async () => {
      throw new Error('the database is away');
    });
    await expect(run()).rejects.toThrow('the database is away');
    await expect(overtaken()).rejects.toThrow('taken over');
    expect(jobs).toHaveLength(1);
  });
});

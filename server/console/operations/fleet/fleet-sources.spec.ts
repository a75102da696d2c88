import { describe, expect, it } from '@jest/globals';
import { anObservation, NOTHING_WRONG } from '../../../../test/support/observations.js';
import type { JobRunner } from '../../../infra/schedule/job-runner.js';
import type { Observation } from '../model/observation.js';
import { FLEET_RULES } from '../rules/fleet-rules.js';
import { SERVICE_RULES } from '../rules/evaluate-rules.js';
import { WORKER_RULES } from '../rules/worker-rules.js';
import type { FactsReader } from './facts-reader.js';
import type { FleetHistory } from './fleet-history.js';
import { FleetSources } from './fleet-observer.js';
import type { ReportStore } from './report-store.js';

type Source = 'starts' | 'minutes' | 'jobs';

/** The rules that look at one of the stored lists. */
function readersOf(source: Source): string[] {
  return Object.entries({ ...SERVICE_RULES, ...FLEET_RULES, ...WORKER_RULES }).flatMap(([rule, judge]) => {
    let isRead = false;
    const observation = new Proxy(anObservation(), {
      get(target, member) {
        isRead ||= member === source;
        return Reflect.get(target, member) as unknown;
      },
    });
    judge(observation);
    return isRead ? [rule] : [];
  });
}

async function unreadWithout(source: Source): Promise<string[]> {
  const list = (name: Source) => (): Promise<never[]> =>
    name === source ? Promise.reject(new Error('away')) : Promise.resolve([]);
  const sources = new FleetSources(
    { listStarts: list('starts') } as unknown as ReportStore,
    { list: list('minutes') } as unknown as FleetHistory,
    { states: list('jobs') } as unknown as JobRunner,
    { read: () => Promise.resolve(NOTHING_WRONG) } as unknown as FactsReader,
  );
  const { unread } = await sources.read({} as Observation['thresholds'], []);
  return [...(unread?.keys() ?? [])];
}

describe('FleetSources', () => {
  it.each<Source>(['starts', 'minutes', 'jobs'])(
    'names every rule that depends on %s when they cannot be read',
    async (source) => {
      expect(readersOf(source)).not.toEqual([]);
      expect((await unreadWithout(source)).toSorted()).toEqual(readersOf(source).toSorted());
    },
  );
});

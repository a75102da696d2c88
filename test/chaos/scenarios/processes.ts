import { firstByteMsAt } from '../load/history.js';
import {
  disappointed,
  expectAllServed,
  isUnanswered,
  tally,
  type Scenario,
  instanceByInstance,
  whileFaulty,
} from './scenario.js';

const WORKERS_OF_ALL = 4;
const BACK_WITHIN_MS = 15_000;

export const baseline: Scenario = {
  name: 'baseline',
  row: 'F-01',
  what: 'nothing breaks',
  run: (stage) => stage.pass(1),
  check: (aftermath) => {
    expectAllServed(aftermath, aftermath.history.warm, 'although nothing was broken');
    aftermath.note('p99', `${Math.round(firstByteMsAt(aftermath.history.warm, 0.99))} ms`);
  },
};

export const workerKilled: Scenario = {
  name: 'worker-killed',
  row: 'F-15',
  what: 'SIGKILL to one of four workers in the middle',
  run: async (stage) => {
    await stage.pass(0.4);
    const [first] = stage.world.instances;
    await whileFaulty(stage, async () => {
      const pid = first.killWorker(stage.random.below(2));
      const backMs = await stage.until(
        'a new worker listens',
        async () => first.workers().length === 2 && !first.workers().includes(pid) && (await first.isReady()),
        BACK_WITHIN_MS,
      );
      stage.note('worker back', `${(backMs / 1_000).toFixed(1)} s`);
    });
  },
  check: (aftermath) => {
    const { history, during } = aftermath;
    const broken = history.warm.filter(isUnanswered);
    // Only the calls of one worker in four break.
    const most = Math.ceil(history.warm.length / WORKERS_OF_ALL);
    if (broken.length > most) aftermath.regret(`${broken.length} calls broke, more than one worker had`);
    const refused = disappointed(history.warm).filter(({ outcome }) => outcome === 'refused');
    if (refused.length > 0) aftermath.regret(`calls were refused: ${tally(refused)}`);
    aftermath.note('broken', String(broken.length));
    if (during.length > 0) aftermath.note('p99 meanwhile', `${Math.round(firstByteMsAt(during, 0.99))} ms`);
  },
};

/** Everything of one instance is killed at once; later it starts again. */
const instanceKilled = (name: string, what: string, withSpool: boolean, isFlushed: boolean): Scenario => ({
  name,
  row: 'F-16',
  what,
  run: async (stage) => {
    await stage.pass(0.4);
    const [first, second] = stage.world.instances;
    await whileFaulty(stage, async () => {
      await first.kill();
      if (!withSpool) {
        await stage.loseRecords();
        first.removeSpool();
      }
      if (isFlushed) await stage.world.redis.flush();
      await stage.pass(0.3);
      if (!(await second.isReady())) stage.regret('the other instance stopped being ready');
      first.launch();
      await first.untilReady();
    });
  },
  check: (aftermath) => {
    // Once the balancer has seen that one is gone the other takes everything.
    const settled = aftermath.during.filter(
      ({ askedAtMs }) => askedAtMs > (aftermath.during[0]?.askedAtMs ?? 0) + 3_000,
    );
    expectAllServed(aftermath, settled, 'although the other instance was there');
    aftermath.note('broken', String(aftermath.history.warm.filter(isUnanswered).length));
  },
});

export const instanceKilledSpoolLeft = instanceKilled(
  'instance-killed',
  'SIGKILL to all processes of one instance; it starts again on its spool',
  true,
  false,
);
export const instanceKilledSpoolLost = instanceKilled(
  'spool-lost',
  'the same with its spool deleted: the hold registry says what was under way',
  false,
  false,
);
export const instanceAndRegistryLost = instanceKilled(
  'spool-and-redis-lost',
  'the same with Redis flushed in that second',
  false,
  true,
);

export const rollingRestart: Scenario = {
  name: 'rolling-restart',
  row: 'F-43',
  what: 'SIGTERM to one instance, start it anew, then the other',
  leastSeconds: 25,
  run: async (stage) => {
    await stage.pass(0.15);
    await instanceByInstance(stage, async (instance) => {
      const code = await instance.stop();
      if (code !== 0) stage.complain(`${instance.name} ended with ${code} instead of 0`);
      instance.launch();
      await instance.untilReady();
      // As long as the balancer leaves a silent one alone.
      await stage.passSeconds(6);
    });
  },
  check: (aftermath) => expectAllServed(aftermath, aftermath.history.warm, 'in a rolling restart'),
};

export const workersRolled: Scenario = {
  name: 'workers-rolled',
  row: 'F-43',
  what: 'SIGHUP to both instances: workers are exchanged one by one',
  leastSeconds: 25,
  run: async (stage) => {
    await stage.pass(0.15);
    await instanceByInstance(stage, async (instance) => {
      const old = instance.workers();
      instance.signal('SIGHUP');
      const areNew = (): boolean =>
        instance.workers().length === old.length && instance.workers().every((pid) => !old.includes(pid));
      const tookMs = await stage.until(`${instance.name} has new workers only`, areNew, 120_000);
      stage.note(`${instance.name} rolled in`, `${(tookMs / 1_000).toFixed(1)} s`);
    });
  },
  check: (aftermath) => expectAllServed(aftermath, aftermath.history.warm, 'while workers were exchanged'),
};

const HUNG_AFTER_MS = 30_000;

export const workerHung: Scenario = {
  name: 'worker-hung',
  row: 'F-73',
  what: 'one worker stops doing anything (SIGSTOP); its supervisor has to notice and to kill it',
  leastSeconds: 55,
  run: async (stage) => {
    await stage.passSeconds(8);
    const [first] = stage.world.instances;
    await whileFaulty(stage, async () => {
      const pid = first.freezeWorker(0);
      const tookMs = await stage.until(
        'it is replaced',
        () => first.workers().length === 2 && !first.workers().includes(pid),
        HUNG_AFTER_MS + 20_000,
      );
      stage.note('replaced after', `${(tookMs / 1_000).toFixed(1)} s`);
    });
  },
  check: (aftermath) => {
    const { during } = aftermath;
    const served = during.filter(({ outcome }) => outcome === 'ok' || outcome === 'left').length;
    aftermath.note('served meanwhile', `${served} of ${during.length}`);
    // One of four is away: what it had taken hangs with it, everything else goes on.
    if (served < during.length / 2)
      aftermath.regret(
        `only ${served} of ${during.length} calls were served: ${tally(disappointed(during))}`,
      );
  },
};

export const leaderPaused: Scenario = {
  name: 'leader-paused',
  row: 'F-70',
  what: 'one instance is stopped for 70 s (SIGSTOP), longer than every lease, and goes on',
  leastSeconds: 85,
  run: async (stage) => {
    await stage.passSeconds(5);
    const [first] = stage.world.instances;
    await whileFaulty(stage, async () => {
      first.signalAll('SIGSTOP');
      await stage.passSeconds(70);
      first.signalAll('SIGCONT');
    });
    await stage.until('the instance that slept is ready', () => first.isReady(), 30_000);
  },
};

/** Largest clock skew with which an instance is still ready (clock-watch.ts). */
const MOVED_MS = 25_000;

export const clockMoved: Scenario = {
  name: 'clock-moved',
  row: 'F-69',
  what: 'the clock of one instance is 25 s fast, after a restart 25 s slow',
  leastSeconds: 30,
  world: { environmentOf: (index) => (index === 1 ? clockShiftedBy(MOVED_MS) : {}) },
  run: async (stage) => {
    await stage.pass(0.4);
    const [, second] = stage.world.instances;
    await whileFaulty(stage, async () => {
      await second.stop();
      second.launch(clockShiftedBy(-MOVED_MS));
      await second.untilReady();
    });
  },
  check: (aftermath) => expectAllServed(aftermath, aftermath.history.warm, 'with a wrong clock'),
};

export function clockShiftedBy(milliseconds: number): Readonly<Record<string, string>> {
  return {
    NODE_OPTIONS: `--import ${new URL('../rig/clock-shift.mjs', import.meta.url).href}`,
    CHAOS_CLOCK_SHIFT_MS: String(milliseconds),
  };
}

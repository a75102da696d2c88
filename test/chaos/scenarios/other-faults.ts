import { spawnSync } from 'node:child_process';
import { existsSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { COUNTED_PROMPT } from '../load/shapes.js';
import {
  disappointed,
  expectAllServed,
  isUnanswered,
  tally,
  type Scenario,
  type Stage,
  whileFaulty,
} from './scenario.js';

const CUT_AFTER = 20;

export const upstreamCuts: Scenario = {
  name: 'upstream-cuts',
  row: 'F-20',
  what: 'the upstream resets every fifth stream after 20 chunks',
  run: async (stage) => {
    await whileFaulty(stage, async () => {
      await stage.world.setUpstream({ kind: 'cut', everyNth: 5, afterChunks: CUT_AFTER });
      await stage.pass(0.9);
      await stage.world.setUpstream({ kind: 'none' });
    });
  },
  check: async (aftermath) => {
    const journal = await aftermath.world.journal();
    const cutMarkers = new Set(journal.flatMap(({ ending, marker }) => (ending === 'cut' ? [marker] : [])));
    const cleanly = aftermath.history.warm.filter(({ marker, sawEnd }) => sawEnd && cutMarkers.has(marker));
    if (cleanly.length > 0)
      aftermath.complain(`${cleanly.length} cut streams ended for their client as if whole`);
    const counts = Map.groupBy(journal, ({ marker }) => marker);
    const retried = [...cutMarkers].filter((marker) => (counts.get(marker)?.length ?? 0) > 1);
    if (retried.length > 0)
      aftermath.complain(`${retried.length} streams were asked for again after their first byte`);
    const rows = new Map((await aftermath.world.books.settlements()).map((row) => [row.callId, row.charged]));
    const stayed = aftermath.history.warm.filter(
      (call) => call.outcome === 'cut' && cutMarkers.has(call.marker) && call.callId !== undefined,
    );
    const wrong = stayed.filter(({ callId, shape }) => {
      const expected = COUNTED_PROMPT[shape.dialect] + 2 * CUT_AFTER;
      return Math.abs((rows.get(callId ?? '') ?? -1) - expected) > 2;
    });
    if (wrong.length > 0)
      aftermath.complain(
        `${wrong.length} of ${stayed.length} cut streams do not cost their prompt and ${CUT_AFTER} tokens, ± 2`,
      );
    aftermath.note('cut streams', String(cutMarkers.size));
  },
};

export const upstreamResets: Scenario = {
  name: 'upstream-resets',
  row: 'F-21',
  what: 'one of two addresses resets before the first byte',
  run: async (stage) => {
    await stage.pass(0.2);
    await whileFaulty(stage, async () => {
      await stage.world.setUpstream({ kind: 'first-address-resets' });
      await stage.pass(0.6);
      await stage.world.setUpstream({ kind: 'none' });
    });
  },
  check: (aftermath) =>
    expectAllServed(aftermath, aftermath.history.warm, 'although the other address was there'),
};

export const upstreamHung: Scenario = {
  name: 'upstream-hung',
  row: 'F-22',
  what: 'the upstream takes calls and says nothing for 8 s, then answers them',
  run: async (stage) => {
    await stage.pass(0.2);
    await whileFaulty(stage, async () => {
      await stage.world.setUpstream({ kind: 'hung' });
      await stage.passSeconds(8);
      await stage.world.setUpstream({ kind: 'none' });
    });
  },
  check: (aftermath) =>
    expectAllServed(aftermath, aftermath.history.warm, 'although the upstream answered in the end'),
};

export const upstreamErrors: Scenario = {
  name: 'upstream-errors',
  row: 'F-23',
  what: 'the upstream answers everything with 500 for 5 s',
  run: async (stage) => {
    await stage.pass(0.2);
    await whileFaulty(stage, async () => {
      const before = await stage.world.upstreamCalls();
      await stage.world.setUpstream({ kind: 'errors' });
      await stage.passSeconds(5);
      stage.note('upstream calls meanwhile', String((await stage.world.upstreamCalls()) - before));
      await stage.world.setUpstream({ kind: 'none' });
    });
  },
  check: (aftermath) => {
    const broken = aftermath.history.warm.filter(isUnanswered);
    if (broken.length > 0)
      aftermath.regret(`${broken.length} calls broke instead of being refused: ${tally(broken)}`);
  },
};

const DISK_MEGABYTES = 160;

/** Fills a disk to the last byte. */
function fillDisk(folder: string): string {
  const path = join(folder, 'somebody-elses-file');
  // It fails with "no space left", which is what it is for.
  spawnSync('dd', ['if=/dev/zero', `of=${path}`, 'bs=1M']);
  return path;
}

export const spoolDiskFull: Scenario = {
  name: 'spool-disk-full',
  row: 'F-67',
  what: 'the disk of one instance is full for 8 s',
  leastSeconds: 25,
  world: { smallDiskMegabytes: DISK_MEGABYTES },
  run: async (stage) => {
    const [, second] = stage.world.instances;
    const reserve = join(second.settings.dataDir, 'spool/reserve');
    await stage.until('the reserve of the small disk is made', () => existsSync(reserve), 10_000);
    await stage.pass(0.3);
    await whileFaulty(stage, async () => {
      const path = fillDisk(second.settings.dataDir);
      const unreadyMs = await stage.until(
        'it says it is not ready',
        async () => !(await second.isReady()),
        10_000,
      );
      stage.note('unready after', `${(unreadyMs / 1_000).toFixed(1)} s`);
      await stage.passSeconds(8);
      rmSync(path);
    });
    await stage.until('it takes paid work again', () => second.isReady(), 20_000);
  },
  check: (aftermath) => {
    const odd = disappointed(aftermath.history.warm).filter(({ status }) => status !== 503);
    if (odd.length > 0) aftermath.regret(`${odd.length} calls ended otherwise than with 503: ${tally(odd)}`);
    aftermath.note('refused meanwhile', String(disappointed(aftermath.during).length));
  },
};

/** Faults of the random scenario: each is taken back before the next begins. */
const NEMESES: readonly { readonly name: string; readonly strike: (stage: Stage) => Promise<void> }[] = [
  {
    name: 'worker killed',
    strike: async ({ world, random, passSeconds }) => {
      random.pick(world.instances).killWorker(random.below(2));
      await passSeconds(3);
    },
  },
  {
    name: 'instance killed',
    strike: async ({ world, random, passSeconds }) => {
      const instance = random.pick(world.instances);
      await instance.kill();
      await passSeconds(1);
      instance.launch();
      await instance.untilReady();
    },
  },
  {
    name: 'Redis paused',
    strike: async ({ world, passSeconds }) => {
      world.redis.pause();
      await passSeconds(3);
      world.redis.resume();
    },
  },
  { name: 'Redis flushed', strike: ({ world }) => world.redis.flush() },
  {
    name: 'Redis line cut',
    strike: async ({ world, random, passSeconds }) => {
      const at = random.below(2) === 0 ? 0 : 1;
      await world.setLine('redis', { kind: 'reset' }, at);
      await passSeconds(3);
      await world.setLine('redis', { kind: 'none' }, at);
    },
  },
  {
    name: 'database away',
    strike: async ({ world, random, passSeconds }) => {
      const at = random.below(2) === 0 ? 0 : 1;
      await world.setLine('sql', { kind: random.below(2) === 0 ? 'reset' : 'black-hole' }, at);
      await passSeconds(4);
      await world.setLine('sql', { kind: 'none' }, at);
    },
  },
  {
    name: 'commits lost',
    strike: async ({ world, passSeconds }) => {
      await world.setLine('sql', { kind: 'lost-commits', share: 0.2 });
      await passSeconds(3);
      await world.setLine('sql', { kind: 'none' });
    },
  },
  {
    name: 'upstream cuts',
    strike: async ({ world, passSeconds }) => {
      await world.setUpstream({ kind: 'cut', everyNth: 3, afterChunks: 10 });
      await passSeconds(3);
      await world.setUpstream({ kind: 'none' });
    },
  },
];

export const nemesis: Scenario = {
  name: 'nemesis',
  row: 'F-03',
  what: 'faults picked by the seed, one after the other, to the end of the run',
  leastSeconds: 40,
  run: async (stage) => {
    const endsAtMs = performance.now() + stage.seconds * 900;
    const struck: string[] = [];
    await stage.passSeconds(3);
    await whileFaulty(stage, async () => {
      while (performance.now() < endsAtMs) {
        const { name, strike } = stage.random.pick(NEMESES);
        struck.push(name);
        await strike(stage);
        await stage.passSeconds(1);
      }
    });
    stage.note('struck', struck.join(' / '));
  },
};

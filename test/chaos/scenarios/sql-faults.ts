import type { CallRecord } from '../load/history.js';
import {
  disappointed,
  expectAllServed,
  expectNoHang,
  isUnanswered,
  tally,
  type Aftermath,
  type Scenario,
  breakLine,
  whileFaulty,
} from './scenario.js';

/** A refusal should come within one second; the rest is what a machine with two busy cores adds. */
const REFUSED_WITHIN_MS = 2_000;
const FIRST_SUCCESS_WITHIN_MS = 5_000;

const isUnavailable = (call: CallRecord): boolean => call.outcome === 'refused' && call.status === 503;

/** Streams in flight finish; new ones are served or refused at once, with a word about when to come back. */
function expectOrderlyRefusals(aftermath: Aftermath): void {
  const { history, during } = aftermath;
  const broken = history.warm.filter(isUnanswered);
  if (broken.length > 0) aftermath.regret(`${broken.length} calls broke: ${tally(broken)}`);
  const odd = disappointed(history.warm).filter((call) => !isUnavailable(call) && !isUnanswered(call));
  if (odd.length > 0) aftermath.complain(`refused otherwise than with 503: ${tally(odd)}`);
  const mute = history.warm.filter((call) => isUnavailable(call) && call.retryAfter === undefined);
  if (mute.length > 0) aftermath.complain(`${mute.length} refusals without Retry-After`);
  expectNoHang(aftermath, history.warm, REFUSED_WITHIN_MS, 'while the database was away');
  aftermath.note(
    'served meanwhile',
    `${during.filter(({ outcome }) => outcome === 'ok' || outcome === 'left').length}`,
  );
  aftermath.note('refused meanwhile', `${during.filter(isUnavailable).length}`);
  expectFirstSuccess(aftermath);
}

function expectFirstSuccess(aftermath: Aftermath): void {
  const { after } = aftermath;
  const [first] = after;
  const served = after.find(({ outcome }) => outcome === 'ok' || outcome === 'left');
  if (first === undefined || served === undefined) return;
  const lateMs = served.askedAtMs - first.askedAtMs;
  aftermath.note('first success', `${(lateMs / 1_000).toFixed(1)} s`);
  if (lateMs > FIRST_SUCCESS_WITHIN_MS)
    aftermath.regret(`the first call was served only after ${Math.round(lateMs)} ms`);
  const late = after.filter(({ askedAtMs }) => askedAtMs > first.askedAtMs + FIRST_SUCCESS_WITHIN_MS);
  expectAllServed(aftermath, late, 'five seconds after the database was back');
}

export const sqlRestarted: Scenario = {
  name: 'sql-restarted',
  row: 'F-62',
  what: 'the database is stopped in order and starts again after 5 s',
  leastSeconds: 25,
  run: async (stage) => {
    await stage.pass(0.3);
    const { sql } = stage.world.settings;
    await whileFaulty(stage, async () => {
      await sql.stop('SIGTERM');
      await stage.passSeconds(5);
      await sql.launch();
    });
  },
  check: expectOrderlyRefusals,
};

export const sqlKilled: Scenario = {
  ...sqlRestarted,
  name: 'sql-killed',
  row: 'F-63',
  what: 'the database is killed and recovers by itself',
  run: async (stage) => {
    await stage.pass(0.3);
    const { sql } = stage.world.settings;
    await whileFaulty(stage, async () => {
      await sql.stop('SIGKILL');
      await sql.launch();
    });
  },
};

export const sqlGone: Scenario = {
  name: 'sql-gone',
  row: 'F-62',
  what: 'nothing reaches the database for 30 s and no connection is closed',
  leastSeconds: 50,
  run: async (stage) => {
    await stage.passSeconds(8);
    await whileFaulty(stage, () =>
      breakLine(stage, { store: 'sql', fault: { kind: 'black-hole' }, seconds: 30 }),
    );
  },
  check: expectOrderlyRefusals,
};

export const sqlSlow: Scenario = {
  name: 'sql-slow',
  row: 'F-64',
  what: 'every query takes 2 s longer, for 15 s',
  leastSeconds: 35,
  run: async (stage) => {
    await stage.passSeconds(8);
    await whileFaulty(stage, () =>
      breakLine(stage, { store: 'sql', fault: { kind: 'delay', delayMs: 1_000 }, seconds: 15 }),
    );
  },
  check: expectOrderlyRefusals,
};

export const commitsLost: Scenario = {
  name: 'commits-lost',
  row: 'F-19',
  what: 'the answer to every twentieth COMMIT is dropped',
  run: async (stage) => {
    await stage.world.setLine('sql', { kind: 'lost-commits', share: 0.05 });
    await stage.pass(0.9);
    const lost = await stage.world.lostCommits();
    stage.note('lost commits', String(lost));
    if (lost === 0) stage.complain('no commit was lost: nothing was tried');
    await stage.world.setLine('sql', { kind: 'none' });
  },
  check: (aftermath) => {
    const broken = aftermath.history.warm.filter(isUnanswered);
    if (broken.length > 0) aftermath.regret(`${broken.length} calls broke: ${tally(broken)}`);
  },
};

export const sqlPartition: Scenario = {
  name: 'sql-partition',
  row: 'F-66',
  what: 'one instance is cut off from the database for 20 s, then hears nothing from it for 10 s',
  leastSeconds: 55,
  run: async (stage) => {
    const [, second] = stage.world.instances;
    await stage.passSeconds(8);
    await whileFaulty(stage, async () => {
      await stage.world.setLine('sql', { kind: 'black-hole' }, 1);
      const unreadyMs = await stage.until(
        'it says it is not ready',
        async () => !(await second.isReady()),
        15_000,
      );
      stage.note('unready after', `${(unreadyMs / 1_000).toFixed(1)} s`);
      await stage.passSeconds(20 - unreadyMs / 1_000);
      await stage.world.setLine('sql', { kind: 'none' }, 1);
      await stage.until('it is ready again', () => second.isReady(), 15_000);
      await breakLine(stage, { store: 'sql', fault: { kind: 'deaf' }, seconds: 10, instance: 1 });
    });
  },
  check: expectOrderlyRefusals,
};

export const bothGone: Scenario = {
  name: 'both-gone',
  row: 'F-62',
  what: 'Redis and the database are both unreachable for 8 s',
  leastSeconds: 30,
  run: async (stage) => {
    const { world } = stage;
    await stage.passSeconds(8);
    await whileFaulty(stage, async () => {
      await world.setLine('redis', { kind: 'black-hole' });
      await world.setLine('sql', { kind: 'black-hole' });
      // Calls with a hold from before go upstream within a second.
      await stage.passSeconds(2);
      const atFirst = await world.upstreamCalls();
      await stage.passSeconds(6);
      const sent = (await world.upstreamCalls()) - atFirst;
      if (sent > 0) stage.complain(`${sent} calls went upstream although nothing could be held`);
      await world.setLine('redis', { kind: 'none' });
      await world.setLine('sql', { kind: 'none' });
    });
  },
  check: expectOrderlyRefusals,
};

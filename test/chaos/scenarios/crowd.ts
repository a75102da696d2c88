import { Agent } from 'node:http';
import { Redis } from 'ioredis';
import type { GatewayConsole } from '../../support/gateway-console.js';
import type { CallRecord } from '../load/history.js';
import { placeCall } from '../load/place-call.js';
import type { Shape } from '../load/shapes.js';
import type { ChaosToken } from '../rig/accounts.js';
import { MODEL_SCRIPTS } from '../rig/upstream-models.js';
import { tally, type Scenario, type Stage } from './scenario.js';

export const CROWD = 500;
const PAYS_FOR = 10;
const TOKEN_PAYS_FOR = 5;
const { charge } = MODEL_SCRIPTS['fx-quick'];
/** A busy machine says 503 now and then; more than so often for each call is not now and then. */
const MOST_TRIES = 10;
const TOKEN_REFUSAL = 'pre_consume_token_quota_failed';

const SHAPES: readonly Shape[] = [
  { name: 'stream', dialect: 'chat', model: 'fx-quick', isStreamed: true, weight: 1 },
  { name: 'whole', dialect: 'chat', model: 'fx-quick', isStreamed: false, weight: 1 },
];

export interface Crowd {
  readonly served: number;
  readonly sentUpstream: number;
  readonly refused: readonly CallRecord[];
  readonly others: readonly CallRecord[];
}

/** 500 calls at once with one key; the upstream answers when all are decided. @param meanwhile  runs when all calls have left */
export async function askAtOnce(
  stage: Stage,
  token: ChaosToken,
  meanwhile?: () => Promise<void>,
  shapes: readonly Shape[] = SHAPES,
): Promise<Crowd> {
  const { world, traffic } = stage;
  const agent = new Agent({ keepAlive: true, maxSockets: CROWD });
  await world.setUpstream({ kind: 'held' });
  const before = await world.upstreamCalls();
  const records: CallRecord[] = [];
  const first = traffic.history.calls.length;
  for (let index = 0; index < CROWD; index += 1) {
    const shape = shapes[index % shapes.length] as Shape;
    const url = world.balancer.url;
    records.push(
      placeCall({
        url,
        agent,
        marker: first + index,
        shape,
        token,
        leavesAfter: undefined,
        onEnd: () => undefined,
      }),
    );
  }
  traffic.history.calls.push(...records);
  await meanwhile?.();
  const isDecided = async (): Promise<boolean> =>
    records.filter(({ outcome }) => outcome !== 'open').length + (await world.upstreamCalls()) - before >=
    CROWD;
  await stage.until('500 calls are decided', isDecided, 60_000);
  await world.setUpstream({ kind: 'none' });
  await stage.until('500 calls have ended', () => records.every(({ outcome }) => outcome !== 'open'), 60_000);
  agent.destroy();
  return {
    served: records.filter(({ outcome }) => outcome === 'ok').length,
    sentUpstream: (await world.upstreamCalls()) - before,
    refused: records.filter(({ outcome }) => outcome === 'refused'),
    others: records.filter(({ outcome }) => outcome !== 'refused' && outcome !== 'ok'),
  };
}

/**
 * Checks that exactly so many are served; never one more, and fewer only if the gateway answered that it could not decide (503).
 * @returns the number of served calls
 */
function expectExactly(stage: Stage, name: string, crowd: Crowd, served: number, code: string): number {
  const unsure = crowd.refused.filter(isUnavailable);
  const said = `${name}: ${crowd.served} served, ${crowd.sentUpstream} sent upstream, expected ${served}`;
  const isMore = crowd.served > served || crowd.sentUpstream > served;
  if (isMore || (crowd.served < served && unsure.length === 0)) stage.complain(said);
  if (unsure.length > 0) stage.regret(`${name}: ${tally(unsure)}`);
  const wrong = crowd.refused.filter(
    (call) => !isUnavailable(call) && (call.status !== 403 || call.code !== code),
  );
  if (wrong.length > 0) stage.complain(`${name}: not refused with 403 ${code}: ${tally(wrong)}`);
  if (crowd.others.length > 0) stage.complain(`${name}: neither served nor refused: ${tally(crowd.others)}`);
  stage.note(name, `${crowd.served}/${CROWD}`);
  return crowd.served;
}

/** The gateway could not decide. */
export const isUnavailable = (call: CallRecord): boolean => call.status === 503;

/** A fresh account with a key of its own. */
export async function payer(
  root: GatewayConsole,
  name: string,
  quota: number,
  limit?: number,
): Promise<ChaosToken> {
  const own = await root.addUser(name, quota);
  const { id: userId } = await own.send<{ id: number }>('GET', '/api/user/self');
  const token = await own.addToken(
    limit === undefined ? {} : { unlimited_quota: false, remain_quota: limit },
  );
  return { ...token, userId, isPoor: true };
}

async function expectBalance(stage: Stage, name: string, token: ChaosToken, balance: number): Promise<void> {
  const { books } = stage.world;
  await stage.until(
    `${name}: the balance is ${balance}`,
    async () => (await books.balance(token.userId)) === balance,
    30_000,
  );
}

async function saveSnapshot(url: string): Promise<void> {
  const client = new Redis(url, { lazyConnect: true });
  await client.connect();
  await client.call('SAVE');
  client.disconnect();
}

/** The plain case of the crowd, for the short selection. */
export async function plainCrowd(stage: Stage): Promise<void> {
  const plain = await payer(stage.world.root, 'crowd', PAYS_FOR * charge);
  const served = expectExactly(
    stage,
    'plain',
    await askAtOnce(stage, plain),
    PAYS_FOR,
    'insufficient_user_quota',
  );
  await expectBalance(stage, 'plain', plain, (PAYS_FOR - served) * charge);
}

/** The remaining balance decides, over four workers on two instances. */
export const crowd: Scenario = {
  name: 'crowd',
  row: 'F-10, F-11, F-12',
  what: '500 calls at once on a balance for 10, with Redis well, paused, flushed, and back from an old snapshot',
  isQuietAtFirst: true,
  run: async (stage) => {
    const { world } = stage;
    const { root, redis } = world;
    const quota = PAYS_FOR * charge;
    const refusal = 'insufficient_user_quota';

    await plainCrowd(stage);

    const limited = await payer(root, 'limited', 100 * charge, TOKEN_PAYS_FOR * charge);
    const limitedCrowd = await askAtOnce(stage, limited);
    const ofToken = expectExactly(stage, 'limited token', limitedCrowd, TOKEN_PAYS_FOR, TOKEN_REFUSAL);
    await expectBalance(stage, 'limited token', limited, (100 - ofToken) * charge);

    const flushed = await payer(root, 'flushed', quota + charge);
    await askInTurn(stage, flushed, 1);
    await redis.flush();
    const ofFlushed = expectExactly(
      stage,
      'Redis flushed',
      await askAtOnce(stage, flushed),
      PAYS_FOR,
      refusal,
    );
    await expectBalance(stage, 'Redis flushed', flushed, (PAYS_FOR - ofFlushed) * charge);

    // Money spent after the snapshot is not part of it: its pool has enough for many more than there are.
    const spent = 9 * PAYS_FOR;
    const restored = await payer(root, 'restored', (spent + PAYS_FOR) * charge);
    await askInTurn(stage, restored, 1);
    await saveSnapshot(redis.url);
    await askInTurn(stage, restored, spent - 1);
    await redis.restart();
    await stage.until('both instances are ready', () => bothReady(stage), 30_000);
    const ofRestored = expectExactly(
      stage,
      'old snapshot',
      await askAtOnce(stage, restored),
      PAYS_FOR,
      refusal,
    );
    await expectBalance(stage, 'old snapshot', restored, (PAYS_FOR - ofRestored) * charge);

    const paused = await payer(root, 'paused', quota);
    redis.pause();
    let ofPaused = 0;
    try {
      ofPaused = expectExactly(stage, 'Redis paused', await askAtOnce(stage, paused), PAYS_FOR, refusal);
    } finally {
      redis.resume();
    }
    await expectBalance(stage, 'Redis paused', paused, (PAYS_FOR - ofPaused) * charge);
  },
};

async function bothReady({ world }: Stage): Promise<boolean> {
  const ready = await Promise.all(world.instances.map((instance) => instance.isReady()));
  return ready.every(Boolean);
}

/** Some calls, one after the other, all of which are served: then there is a pool. */
async function askInTurn(stage: Stage, token: ChaosToken, count: number): Promise<void> {
  const { world, traffic } = stage;
  const agent = new Agent({ keepAlive: true });
  const [shape] = SHAPES as [Shape, Shape];
  const url = world.balancer.url;
  let tries = MOST_TRIES * count;
  for (let served = 0; served < count; tries -= 1) {
    if (tries === 0) throw new Error(`only ${served} of ${count} single calls were served`);
    const marker = traffic.history.calls.length;
    const record = await new Promise<CallRecord>((onEnd) =>
      traffic.history.calls.push(
        placeCall({ url, agent, marker, shape, token, leavesAfter: undefined, onEnd }),
      ),
    );
    if (record.outcome === 'ok') served += 1;
    else if (record.status !== 503) throw new Error(`a single call was not served: ${tally([record])}`);
  }
  agent.destroy();
}

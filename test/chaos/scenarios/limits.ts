import type { Shape } from '../load/shapes.js';
import type { ChaosToken } from '../rig/accounts.js';
import { MODEL_SCRIPTS } from '../rig/upstream-models.js';
import { askAtOnce, type Crowd, CROWD, isUnavailable, payer } from './crowd.js';
import { clockShiftedBy } from './processes.js';
import { tally, type Scenario, type Stage } from './scenario.js';

const ROOM = 100;
const { charge } = MODEL_SCRIPTS['fx-quick'];
/** Below the skew with which an instance is not ready any more. */
const MOVED_MS = 25_000;

const shape = (dialect: Shape['dialect'], isStreamed: boolean): Shape => ({
  name: `${dialect} ${isStreamed ? 'stream' : 'whole'}`,
  dialect,
  model: 'fx-quick',
  isStreamed,
  weight: 1,
});
/** Every client API, streamed and whole. */
const EVERY_API = [
  shape('chat', true),
  shape('chat', false),
  shape('anthropic', true),
  shape('anthropic', false),
  shape('responses', true),
  shape('responses', false),
  shape('gemini', true),
] as const;

/** 500 calls at once against limits with room for 100, while a worker is killed and the store loses its data. */
export const limits: Scenario = {
  name: 'limits',
  row: 'limits',
  what: '500 calls at once against limits with room for 100: requests, money, everyone, calls at once; a worker killed, Redis flushed; the clock of one instance is 25 s fast',
  isQuietAtFirst: true,
  world: { environmentOf: (index) => (index === 1 ? clockShiftedBy(MOVED_MS) : {}) },
  run: async (stage) => {
    const { world } = stage;
    await crowdAt(stage, 'requests', REQUESTS);
    await crowdAt(stage, 'money', { measure: 'quota', amount: ROOM * charge, period: 'month' });
    await everyone(stage);
    await callsAtOnce(stage);
    await crowdAt(stage, 'Redis flushed', REQUESTS, () => world.redis.flush());
    await crowdAt(stage, 'worker killed', REQUESTS, async () => {
      world.instances[0].killWorker(0);
    });
    await crowdAt(
      stage,
      'money, Redis flushed',
      { ...REQUESTS, measure: 'quota', amount: ROOM * charge },
      () => world.redis.flush(),
    );
  },
};

interface Rule {
  readonly measure: 'requests' | 'quota' | 'in_flight';
  readonly amount: number;
  readonly period: string;
  /** The period ends now, whatever the hour. */
  readonly rolling?: true;
}

const REQUESTS: Rule = { measure: 'requests', amount: ROOM, period: 'day', rolling: true };

/** A fresh account under one limit; the sum of its calls in the books must be that of the limit. */
async function crowdAt(
  stage: Stage,
  name: string,
  rule: Rule,
  meanwhile?: () => Promise<void>,
): Promise<void> {
  const token = await fresh(stage, name);
  const limitId = await addLimit(stage, name, { ...rule, scope: 'account', subject: String(token.userId) });
  const shapes = rule.measure === 'requests' ? EVERY_API : undefined;
  await judge(stage, { name, rule, limitId, opening: 0 }, await askAtOnce(stage, token, meanwhile, shapes));
}

/** A limit that all accounts share: it starts with what the books have for its period. */
async function everyone(stage: Stage): Promise<void> {
  const { root } = stage.world;
  const wish = { ...REQUESTS, scope: 'everyone', subject: '' };
  const { used } = await root.send<{ used: number }>('POST', '/api/limits/preview', { name: 'x', ...wish });
  const rule = { ...REQUESTS, amount: used + ROOM };
  const limitId = await addLimit(stage, 'everyone', { ...wish, ...rule });
  const crowd = await askAtOnce(stage, await fresh(stage, 'everyone'));
  await judge(stage, { name: 'everyone', rule, limitId, opening: used }, crowd);
  await root.send('DELETE', `/api/limits/${limitId}`);
}

/** The upstream holds every answer until all calls are decided: so many are never more than the limit at once. */
async function callsAtOnce(stage: Stage): Promise<void> {
  const name = 'calls at once';
  const token = await fresh(stage, name);
  const rule = { measure: 'in_flight', amount: ROOM, period: '' };
  await addLimit(stage, name, { ...rule, scope: 'account', subject: String(token.userId) });
  const crowd = await askAtOnce(stage, token, undefined, EVERY_API);
  const { refused, unsure } = refusals(stage, name, crowd, 429, 'rate_limit_exceeded');
  if (crowd.sentUpstream > ROOM) stage.complain(`${name}: ${crowd.sentUpstream} ran at once`);
  if (refused > 0 && crowd.sentUpstream < 0.95 * ROOM)
    stage.complain(`${name}: refused at ${crowd.sentUpstream} of ${ROOM}`);
  note(stage, name, crowd, { refused, unsure, rest: `of ${ROOM}` });
}

const fresh = (stage: Stage, name: string): Promise<ChaosToken> =>
  payer(stage.world.root, `limit-${name.replaceAll(/\W+/g, '-')}`.slice(0, 20), 10 * CROWD * charge);

const addLimit = (stage: Stage, name: string, rule: object): Promise<number> =>
  stage.world.root.send('POST', '/api/limits', { name, rolling: false, action: 'refuse', ...rule });

/** Complains about refusals that do not name the limit. @returns how many did, and how many calls were not decided */
function refusals(
  stage: Stage,
  name: string,
  crowd: Crowd,
  status: number,
  code: string,
): { readonly refused: number; readonly unsure: number } {
  const refused = crowd.refused.filter((call) => !isUnavailable(call));
  const wrong = refused.filter((call) => call.status !== status || !isCode(call.code, code));
  if (wrong.length > 0) stage.complain(`${name}: not refused with ${status} ${code}: ${tally(wrong)}`);
  return { refused: refused.length, unsure: crowd.refused.length - refused.length };
}

/** The Messages API has the code of the limit among its details, other client APIs have types of their own in the place of our code. */
const isCode = (found: string, code: string): boolean =>
  found === code ||
  [
    'limit_reached',
    'permission_error',
    'rate_limit_error',
    'PERMISSION_DENIED',
    'RESOURCE_EXHAUSTED',
  ].includes(found);

function note(
  stage: Stage,
  name: string,
  { served, sentUpstream }: Crowd,
  { refused, unsure, rest }: { readonly refused: number; readonly unsure: number; readonly rest: string },
): void {
  stage.note(
    name,
    `${served} served, ${sentUpstream} sent, ${refused} refused, ${unsure} not decided, ${rest}`,
  );
}

async function judge(
  stage: Stage,
  {
    name,
    rule: { measure, amount },
    limitId,
    opening,
  }: {
    readonly name: string;
    readonly rule: Rule;
    readonly limitId: number;
    /** Use the limit began with. */
    readonly opening: number;
  },
  crowd: Crowd,
): Promise<void> {
  const found = refusals(stage, name, crowd, 403, 'limit_reached');
  const { books } = stage.world;
  const unit = measure === 'quota' ? charge : 1;
  const isBooked = async (): Promise<boolean> =>
    (await books.limitUse(limitId)) >= opening + crowd.served * unit;
  await stage.until(`${name}: use is booked`, isBooked, 30_000);
  const use = await books.limitUse(limitId);
  if (use > amount) stage.complain(`${name}: use ${use} is above the amount ${amount}`);
  const reached = opening + crowd.sentUpstream * unit;
  // A limit refuses only when use and holds have reached the amount.
  if (found.refused > 0 && reached < 0.95 * amount)
    stage.complain(`${name}: refused at ${reached} of ${amount}`);
  note(stage, name, crowd, { ...found, rest: `use ${use} of ${amount}` });
}

import { Agent } from 'node:http';
import type { GatewayConsole } from '../../support/gateway-console.js';
import type { CallRecord } from '../load/history.js';
import { placeCall } from '../load/place-call.js';
import type { Shape } from '../load/shapes.js';
import type { ChaosToken } from '../rig/accounts.js';
import { MODEL_NAMES } from '../rig/upstream-models.js';
import { payer } from './crowd.js';
import { expectAllServed, instanceByInstance, type Scenario, type Stage } from './scenario.js';

/** A group whose accounts may make so many calls in the ten minutes that the run takes at most. */
const GROUP = 'counted';
const CALLS = 12;
const WINDOW_MINUTES = 10;
const SHAPE: Shape = { name: 'counted', dialect: 'chat', model: 'fx-quick', isStreamed: false, weight: 0 };

/** An account of that group. @returns a token of it */
async function addCountedAccount(root: GatewayConsole): Promise<ChaosToken> {
  const [first] = await root.send<{ base_url: string }[]>(
    'GET',
    '/api/channel/?p=0&page_size=10&id_sort=true',
  );
  await root.setOptions({
    GroupRatio: { default: 1, [GROUP]: 1 },
    UserUsableGroups: { default: 'default', [GROUP]: GROUP },
    ModelRequestRateLimitDurationMinutes: String(WINDOW_MINUTES),
    ModelRequestRateLimitGroup: { [GROUP]: [CALLS, 1_000] },
    ModelRequestRateLimitEnabled: 'true',
  });
  await root.addChannel({ type: 40, base_url: first?.base_url ?? '', models: MODEL_NAMES, group: GROUP });
  const own = await root.addUser(GROUP, 1_000_000);
  const self = await own.send<Record<string, unknown>>('GET', '/api/user/self');
  await root.send('PUT', '/api/user/', { ...self, group: GROUP });
  return { ...(await own.addToken()), userId: Number(self['id']), isPoor: false };
}

/** So many calls to one instance, in the history like all others. @returns their statuses */
async function callTimes(stage: Stage, url: string, token: ChaosToken, times: number): Promise<number[]> {
  const { calls } = stage.traffic.history;
  const agent = new Agent();
  const statuses: number[] = [];
  for (let done = 0; done < times; done += 1) {
    const { status } = await new Promise<CallRecord>((onEnd) => {
      const marker = calls.length;
      calls.push(placeCall({ url, agent, marker, shape: SHAPE, token, leavesAfter: undefined, onEnd }));
    });
    statuses.push(status);
  }
  agent.destroy();
  return statuses;
}

/** A call that is over the limit and reaches no upstream. @returns its status */
async function callOnceMore(url: string, { key }: ChaosToken): Promise<number> {
  const response = await fetch(`${url}/v1/chat/completions`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: JSON.stringify({ model: SHAPE.model, messages: [{ role: 'user', content: 'hello' }] }),
  });
  await response.arrayBuffer();
  return response.status;
}

/** An account that a limit lets make so many calls a day, whatever the hour. */
async function addLimitedAccount(root: GatewayConsole): Promise<ChaosToken> {
  const token = await payer(root, 'limited', 1_000_000);
  await root.send('POST', '/api/limits', {
    name: 'upgrade',
    scope: 'account',
    subject: String(token.userId),
    measure: 'requests',
    amount: CALLS,
    period: 'day',
    rolling: true,
  });
  return token;
}

async function upgrade(stage: Stage): Promise<void> {
  const { world } = stage;
  const [first, second] = world.instances;
  const limited = await addLimitedAccount(world.root);
  const token = await addCountedAccount(world.root);
  const served = async () => (await callTimes(stage, first.url, token, 1))[0] === 200;
  await stage.until('the new account may call', served, 20_000);
  await stage.pass(0.15);
  const statuses = await callTimes(stage, first.url, token, 4);
  const ofLimit = await callTimes(stage, first.url, limited, 5);
  await instanceByInstance(stage, async (instance) => {
    const code = await instance.stop();
    if (code !== 0) stage.complain(`${instance.name} ended with ${code} instead of 0`);
    instance.launch();
    await instance.untilReady();
    // As long as the balancer leaves a silent one alone.
    await stage.passSeconds(6);
    if (instance === first) {
      statuses.push(
        ...(await callTimes(stage, second.url, token, 3)),
        ...(await callTimes(stage, first.url, token, 2)),
      );
      ofLimit.push(
        ...(await callTimes(stage, second.url, limited, 3)),
        ...(await callTimes(stage, first.url, limited, 2)),
      );
    }
  });
  statuses.push(...(await callTimes(stage, second.url, token, 2)));
  ofLimit.push(...(await callTimes(stage, second.url, limited, 2)));
  stage.note('limited calls', ofLimit.join(' '));
  if (ofLimit.some((status) => status !== 200))
    stage.complain(`calls within the limit of a day were answered ${ofLimit.join(' ')}`);
  const full = [await callOnceMore(first.url, limited), await callOnceMore(second.url, limited)];
  if (full.some((status) => status !== 403))
    stage.complain(
      `calls over the limit of a day, counted by both versions, were answered ${full.join(' ')}`,
    );
  stage.note('counted calls', statuses.join(' '));
  if (statuses.some((status) => status !== 200))
    stage.complain(`calls within the limit were answered ${statuses.join(' ')}`);
  const over = [await callOnceMore(first.url, token), await callOnceMore(second.url, token)];
  if (over.some((status) => status !== 429))
    stage.complain(`calls over the limit, counted by both versions, were answered ${over.join(' ')}`);
  await world.root.send('GET', '/api/user/self').catch((error: unknown) => {
    stage.complain(`the session of before: ${String(error)}`);
  });
}

export const rollingUpgrade: Scenario = {
  name: 'rolling-upgrade',
  row: 'F-43',
  what: 'two instances of --from are replaced one after the other; a rate window and a limit of a day count on, sessions stay',
  leastSeconds: 30,
  run: upgrade,
  check: (aftermath) => expectAllServed(aftermath, aftermath.history.warm, 'in a rolling upgrade'),
};

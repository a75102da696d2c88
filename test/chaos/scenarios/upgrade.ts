import type { GatewayConsole } from '../../support/gateway-console.js';
import { MODEL_NAMES } from '../rig/upstream-models.js';
import { expectAllServed, instanceByInstance, type Scenario, type Stage } from './scenario.js';

/** A group whose accounts may make so many calls in the ten minutes that the run takes at most. */
const GROUP = 'counted';
const CALLS = 12;
const WINDOW_MINUTES = 10;

/** An account of that group. @returns the key of a token */
async function addCountedAccount(root: GatewayConsole): Promise<string> {
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
  return (await own.addToken()).key;
}

/** So many calls to one instance. @returns their statuses */
async function call(url: string, key: string, times: number): Promise<number[]> {
  const statuses: number[] = [];
  for (let done = 0; done < times; done += 1) {
    const response = await fetch(`${url}/v1/chat/completions`, {
      method: 'POST',
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      body: JSON.stringify({ model: 'fx-quick', messages: [{ role: 'user', content: 'hello' }] }),
    });
    await response.arrayBuffer();
    statuses.push(response.status);
  }
  return statuses;
}

async function upgrade(stage: Stage): Promise<void> {
  const { world, traffic } = stage;
  const [first, second] = world.instances;
  const key = await addCountedAccount(world.root);
  await stage.until(
    'the new account may call',
    async () => (await call(first.url, key, 1))[0] === 200,
    20_000,
  );
  await stage.pass(0.15);
  const statuses = await call(first.url, key, 4);
  await instanceByInstance(stage, async (instance) => {
    const code = await instance.stop();
    if (code !== 0) stage.complain(`${instance.name} ended with ${code} instead of 0`);
    instance.launch();
    await instance.untilReady();
    // As long as the balancer leaves a silent one alone.
    await stage.passSeconds(6);
    if (instance === first) {
      statuses.push(...(await call(second.url, key, 3)), ...(await call(first.url, key, 2)));
    }
  });
  statuses.push(...(await call(second.url, key, 2)));
  stage.note('counted calls', statuses.join(' '));
  if (statuses.some((status) => status !== 200))
    stage.complain(`calls within the limit were answered ${statuses.join(' ')}`);
  const over = [...(await call(first.url, key, 1)), ...(await call(second.url, key, 1))];
  if (over.some((status) => status !== 429))
    stage.complain(`calls over the limit, counted by both versions, were answered ${over.join(' ')}`);
  await world.root.send('GET', '/api/user/self').catch((error: unknown) => {
    stage.complain(`the session of before: ${String(error)}`);
  });
  stage.note('calls', String(traffic.history.calls.length));
}

export const rollingUpgrade: Scenario = {
  name: 'rolling-upgrade',
  row: 'F-43',
  what: 'two instances of --from are replaced one after the other; a rate window counts on, sessions stay',
  leastSeconds: 30,
  run: upgrade,
  check: (aftermath) => expectAllServed(aftermath, aftermath.history.warm, 'in a rolling upgrade'),
};

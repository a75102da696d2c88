import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { DrawingEntity } from '../../../server/gateway/tasks/drawing.entity.js';
import { TaskEntity } from '../../../server/gateway/tasks/task.entity.js';
import type { ApiClient, ApiReply } from '../../support/api-client.ts';
import { setUpRoot, signUp, startTestApp, type TestApp } from '../../support/build-test-app.ts';
import { FakeUpstream } from '../../support/fake-upstream.ts';
import { sendJson } from '../../support/fake-upstream-behaviours.ts';
import { until } from '../../support/until.ts';
import { ScriptedEpay } from '../console/wallet/scripted-services.ts';
import type { OlderCall, Player } from './older-call.ts';
import { ADMINISTRATION_CALLS } from './older-console.administration-calls.ts';
import { LEAVING_CALLS, OWN_CALLS } from './older-console.own-calls.ts';
import { listOf, mapOf, misfits, type Shape } from './shape.ts';

const PLAYERS: readonly Player[] = ['user', 'admin', 'root'];

/** Values of `{name}`. */
type Given = Record<string, string | number>;

let app: TestApp;
let upstream: FakeUpstream;
let root: ApiClient;
const epay = new ScriptedEpay();
const clients = {} as Record<Player, ApiClient>;

beforeAll(async () => {
  upstream = await FakeUpstream.start();
  // Balance of an upstream.
  upstream.on('', (exchange) => sendJson(exchange, 200, { hard_limit_usd: 10, total_usage: 100 }));
  await epay.start();
  app = await startTestApp({ env: { ALLOWED_PRIVATE_HOSTS: '127.0.0.1', UPDATE_TASK: 'false' } });
  root = await setUpRoot(app);
  clients.root = root;
  clients.admin = await signUp(root, { username: 'warden', role: 'admin' });
  clients.user = await signUp(root, { username: 'ordinary' });
  const options = {
    ServerAddress: 'https://gate.example',
    PayAddress: `${epay.url}/pay`,
    EpayId: '1001',
    EpayKey: 'merchant key of a test',
    ModelRatio: '{"fx-json":1}',
    Chats: '[{"One":"https://chat.example/#/?key={key}"}]',
    UserUsableGroups: '{"default":"Usual"}',
  };
  for (const [key, value] of Object.entries(options))
    await root.expectSuccess('PUT', '/api/option/', { key, value });
  await root.expectSuccess('POST', '/api/channel/', {
    type: 1,
    name: 'always there',
    key: 'sk-always',
    base_url: upstream.url,
    models: 'fx-json',
    group: 'default',
    auto_ban: 0,
  });
});
afterAll(async () => {
  await app?.close();
  await upstream?.close();
  epay.stop();
});

/** Objects a player needs: a code to redeem, money, a drawing and a task of their own. */
async function prepare(player: Player): Promise<Given> {
  const { userId } = clients[player];
  await root.expectSuccess('POST', '/api/user/manage', {
    id: userId,
    action: 'add_quota',
    mode: 'add',
    value: 1_000_000,
  });
  const [code = ''] = await root.expectSuccess<string[]>('POST', '/api/redemption/', {
    name: 'prepared',
    quota: 1_000,
    count: 1,
  });
  const now = Math.floor(Date.now() / 1_000);
  const common = {
    requestId: randomUUID(),
    userId,
    channelId: 1,
    status: 'SUCCESS',
    progress: '100%',
    failReason: '',
  };
  await app.dataSource.getRepository(DrawingEntity).save({
    ...common,
    code: 1,
    action: 'IMAGINE',
    prompt: 'a cat',
    promptEn: 'a cat',
    description: '',
    state: '',
    submitTime: now * 1_000,
    imageUrl: 'https://pictures.example/1.png',
    videoUrls: '',
    buttons: '',
    properties: '',
    mjId: `drawing-${player}`,
  });
  await app.dataSource.getRepository(TaskEntity).save({
    ...common,
    platform: 'suno',
    action: 'MUSIC',
    data: '',
    properties: '{"input":"a song"}',
    submitTime: now,
    taskId: `song-${player}`,
  });
  return {
    n: player,
    username: { user: 'ordinary', admin: 'warden', root: 'root' }[player],
    code,
    upstream: upstream.url,
    from: now - 86_400,
    to: now + 3_600,
    fromMs: (now - 86_400) * 1_000,
    toMs: (now + 3_600) * 1_000,
  };
}

function fill(value: unknown, given: Given): unknown {
  if (Array.isArray(value)) return value.map((one) => fill(one, given));
  if (typeof value === 'object' && value !== null)
    return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, fill(one, given)]));
  if (typeof value !== 'string') return value;
  const whole = /^\{(\w+)\}$/.exec(value)?.[1];
  if (whole !== undefined) return given[whole];
  return value.replaceAll(/\{(\w+)\}/g, (_, name: string) => String(given[name]));
}

const memberAt = (value: unknown, path: string): unknown =>
  path
    .split('.')
    .reduce<unknown>((each, member) => (each as Record<string, unknown> | undefined)?.[member], value);

const isRefusal = ({ body }: ApiReply): boolean =>
  body.success === false && typeof body.message === 'string' && body.message !== '';

/** @returns what does not fit, as lines */
function judge(call: OlderCall, player: Player, reply: ApiReply): string[] {
  const isBelow = call.from !== 'guest' && PLAYERS.indexOf(player) < PLAYERS.indexOf(call.from);
  if (isBelow || call.refuses === true || call.refuses?.includes(player) === true)
    return isRefusal(reply) ? [] : ['is not refused in the envelope'];
  if (reply.status !== 200) return [`has status ${reply.status}`];
  const envelope = call.isBare === true ? [] : misfits(reply.body, { message: 'str' });
  if (call.isBare !== true && reply.body.success !== true) envelope.push('is no success');
  return [...envelope, ...(call.reads === undefined ? [] : misfits(reply.body, call.reads))];
}

/** A line of the log appears a moment after its call. */
const isAsynchronous = ({ call }: OlderCall): boolean => /^GET \/api\/(log|data)\//.test(call);

async function play(call: OlderCall, player: Player, given: Given): Promise<string[]> {
  const [method = '', path = ''] = String(fill(call.call, given)).split(' ');
  const query = call.query === undefined ? '' : `?${String(fill(call.query, given))}`;
  const send = () => clients[player].send(method, path + query, fill(call.sends, given));
  let reply = await send();
  let faults = judge(call, player, reply);
  if (isAsynchronous(call))
    await until(async () => {
      if (faults.every((fault) => !fault.endsWith('is empty'))) return true;
      reply = await send();
      faults = judge(call, player, reply);
      return false;
    });
  for (const [name, at] of Object.entries(call.keeps ?? {})) {
    const value = memberAt(reply.body, at);
    if (typeof value === 'number' || typeof value === 'string') given[name] = value;
  }
  return faults.map((fault) => `${method} ${path}: ${fault}; ${JSON.stringify(reply.body).slice(0, 200)}`);
}

describe('a console of this family as of May 2025', () => {
  it.each(PLAYERS)('reads every route it knows as before, as %s', async (player) => {
    const given = await prepare(player);
    const faults: string[] = [];
    for (const call of [...OWN_CALLS, ...ADMINISTRATION_CALLS, ...LEAVING_CALLS])
      faults.push(...(await play(call, player, given)));
    expect(faults).toEqual([]);
  });
});

describe('the check of its answers', () => {
  it.each([
    ['a member that is missing', {}, { id: 'int' }, 'answer has no id'],
    ['a number that came as text', { id: '1' }, { id: 'int' }, 'answer.id is "1", not int'],
    ['nothing where a text is read', { name: null }, { name: 'str' }, 'answer.name is null, not str'],
    ['a list without entries', { data: [] }, { data: listOf('int') }, 'answer.data is empty'],
    ['an entry of a list', { data: [1, 'b'] }, { data: listOf('int') }, 'answer.data[1] is "b", not int'],
    ['a value of a map', { data: { a: true } }, { data: mapOf('num') }, 'answer.data.a is true, not num'],
    ['another word', { message: 'error' }, { message: 'success' }, 'answer.message is "error", not success'],
  ])('names %s', (_, answer, shape, fault) => {
    expect(misfits(answer, shape as Shape)).toEqual([fault]);
  });
});

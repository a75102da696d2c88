import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { WebSocket } from 'ws';
import { DrawingEntity } from '../../../../server/gateway/tasks/drawing.entity.js';
import { DIALECTS } from '../../../../server/relay-core/dialects/registry.js';
import {
  DRAWING_KINDS,
  modelOfAction,
} from '../../../../server/relay-core/formats/midjourney-submit/drawing-kinds.js';
import { isCountRoute } from '../../../../server/relay-core/pipeline/count-call.js';
import { startTestApp, type TestApp } from '../../../support/build-test-app.js';
import { clientPath, everyBody, everyForm, takesForm } from '../../../support/every-body.js';
import { FakeUpstream } from '../../../support/fake-upstream.js';
import { FX_PRICES, GatewayConsole } from '../../../support/gateway-console.js';
import { TaskVendor } from '../../../support/task-vendor.js';
import { respond, ScriptedRealtime, USAGE } from '../../vendors/realtime/scripted-realtime.js';

const MODEL = 'fx-std';
const REALTIME = 'gpt-realtime';
const DONE = 'done-drawing';
const MIDJOURNEY = 2;
const SUNO = 36;
const PIXEL = 'data:image/png;base64,iVBORw0KGgo=';
const HEADERS = { 'x-tollgate-tags': 'batch, night', 'x-tollgate-end-user': 'ann' };
/** One body for all submissions: each reads the members it needs. */
const SUBMISSION = {
  prompt: 'a cat',
  base64: PIXEL,
  base64Array: [PIXEL, PIXEL],
  sourceBase64: PIXEL,
  targetBase64: PIXEL,
  taskId: DONE,
  action: 'UPSCALE',
  index: 1,
  content: `${DONE} U1`,
  customId: `MJ::JOB::upsample::1::${DONE}`,
  image: PIXEL,
  motion: 'low',
};

interface Line {
  readonly type: number;
  readonly tags: string;
  readonly end_user: string;
}

/** Routes of the published table that an API token opens. */
const PUBLISHED = readFileSync(join(import.meta.dirname, '../../../../docs/routes.md'), 'utf8')
  .split('\n')
  .flatMap((row) => {
    const [, access, method, path] = row.split('|').map((cell) => cell.trim().replaceAll('`', ''));
    return access === 'token' && method !== undefined && path !== undefined ? [{ method, path }] : [];
  });
const COUNTING = new Set(
  DIALECTS.flatMap(({ routes }) => routes.filter(isCountRoute).map(({ path }) => path)),
);
const SERVED = new Set(
  DIALECTS.flatMap(({ routes }) => routes.map(({ method, path }) => `${method} ${path}`)),
);
/** Published routes that the pipeline serves, without those that only count. */
const CHARGEABLE = PUBLISHED.filter(
  ({ method, path }) => SERVED.has(`${method} ${path}`) && !COUNTING.has(path),
).map(({ path }) => path);

let app: TestApp;
let upstream: FakeUpstream;
let tasks: TaskVendor;
let realtime: ScriptedRealtime;
let admin: GatewayConsole;
let key: string;

beforeAll(async () => {
  [upstream, tasks, realtime] = await Promise.all([
    FakeUpstream.start({ isLenient: true }),
    TaskVendor.start(),
    ScriptedRealtime.start(),
  ]);
  let taken = 0;
  tasks.answer = ({ path }) =>
    path.startsWith('/suno')
      ? { code: 'success', message: '', data: `song-${(taken += 1)}` }
      : { code: 1, description: 'ok', result: `task-${(taken += 1)}`, properties: {} };
  realtime.script = (session, frame) => {
    if (frame.type === 'response.create') respond(session, USAGE);
  };
  app = await startTestApp({ env: { UPDATE_TASK: 'false' } });
  admin = new GatewayConsole(app.url);
  await admin.setUp();
  const drawings = DRAWING_KINDS.flatMap((kind) => {
    const asked = kind.read(SUBMISSION);
    return asked.ok ? [modelOfAction(asked.value.action)] : [];
  });
  const songs = ['suno_music', 'suno_lyrics'];
  const prices = FX_PRICES([MODEL, REALTIME]);
  await admin.setOptions({
    ...prices,
    ModelPrice: Object.fromEntries([...drawings, ...songs].map((model) => [model, 0.01])),
  });
  await admin.addChannel({ base_url: upstream.url, models: [MODEL] });
  const drawer = await admin.addChannel({
    type: MIDJOURNEY,
    base_url: tasks.url,
    models: [...new Set(drawings)],
  });
  await admin.addChannel({ type: SUNO, base_url: tasks.url, models: songs });
  await admin.addChannel({ base_url: realtime.url, models: [REALTIME] });
  ({ key } = await admin.addToken());
  await app.dataSource.getRepository(DrawingEntity).save({
    requestId: '00000000-0000-7000-8000-000000000001',
    userId: 1,
    channelId: drawer,
    code: 1,
    action: 'IMAGINE',
    prompt: 'a cat',
    promptEn: '',
    description: '',
    state: '',
    submitTime: Date.now(),
    imageUrl: '',
    videoUrls: '',
    status: 'SUCCESS',
    progress: '100%',
    failReason: '',
    buttons: '',
    properties: '',
    mjId: DONE,
  });
});

afterAll(async () => {
  await app?.close();
  await Promise.all([upstream?.close(), tasks?.close(), realtime?.close()]);
});

const lineOf = async (callId: string): Promise<Line | undefined> => {
  const { items } = await admin.waitFor(
    () => admin.send<{ items: Line[] }>('GET', `/api/log?request_id=${callId}`),
    (page) => page.items.length > 0,
  );
  return items[0];
};

async function call(path: string, headers: Readonly<Record<string, string>>): Promise<Response> {
  const isSubmission = /\/mj\/|\/suno\//.test(path);
  const isForm = takesForm(path);
  const document = isSubmission ? SUBMISSION : everyBody(MODEL, 'hello');
  return fetch(app.url + clientPath(path).replace('{model}', MODEL), {
    method: 'POST',
    headers: {
      authorization: `Bearer ${key}`,
      ...(isForm ? {} : { 'content-type': 'application/json' }),
      ...headers,
    },
    body: isForm ? everyForm(MODEL, 'hello') : JSON.stringify(document),
  });
}

describe('every chargeable route of docs/routes.md', () => {
  it('has a row in the table', () => {
    expect(CHARGEABLE).toEqual(
      expect.arrayContaining(['/v1/chat/completions', '/v1/messages', '/v1/responses', '/suno/submit/music']),
    );
    expect(CHARGEABLE.length).toBe(SERVED.size - COUNTING.size);
  });

  it.each(CHARGEABLE)('%s puts tags and end user on its line', async (path) => {
    const answer = await call(path, HEADERS);
    const text = await answer.text();
    const line = await lineOf(answer.headers.get('x-request-id') ?? '').catch(() => text);
    expect(line).toMatchObject({ tags: 'batch,night', end_user: 'ann' });
  });

  it('puts both on the line of a realtime session', async () => {
    expect(PUBLISHED).toContainEqual({ method: 'GET', path: '/v1/realtime' });
    const address = `${app.url.replace(/^http/, 'ws')}/v1/realtime?model=${REALTIME}`;
    const socket = new WebSocket(address, { headers: { ...HEADERS, authorization: `Bearer ${key}` } });
    await new Promise<void>((resolve, reject) => {
      socket.on('error', reject);
      socket.on('open', () => socket.send(JSON.stringify({ type: 'response.create' })));
      socket.on('message', (data: Buffer) => {
        if (data.toString('utf8').includes('"response.done"')) resolve();
      });
    });
    expect(realtime.last.headers).not.toHaveProperty('x-tollgate-tags');
    socket.close();
    const { items } = await admin.waitFor(
      () => admin.send<{ items: Line[] }>('GET', `/api/log?model_name=${REALTIME}`),
      (page) => page.items.length > 0,
    );
    expect(items[0]).toMatchObject({ tags: 'batch,night', end_user: 'ann', type: 2 });
  });

  it('puts both on the line of a playground call', async () => {
    const answer = await admin.fetch('POST', '/pg/chat/completions', everyBody(MODEL, 'hello'), HEADERS);
    await answer.text();
    expect(await lineOf(answer.headers.get('x-request-id') ?? '')).toMatchObject({
      tags: 'batch,night',
      end_user: 'ann',
      type: 2,
    });
  });
});

import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { DIALECTS } from '../../../../server/relay-core/dialects/registry.js';
import { startTestApp, type TestApp } from '../../../support/build-test-app.js';
import { clientPath, everyBody, everyForm, takesForm } from '../../../support/every-body.js';
import { FakeUpstream } from '../../../support/fake-upstream.js';
import { FX_PRICES, GatewayConsole } from '../../../support/gateway-console.js';

const CHEAP = 'fx-cheap';
const DEAR = 'fx-dear';
const WORD = 'unspeakable';
/** Every address of every route that answers calls, as a client writes it. What is finished later has `submissions`. */
const PATHS = DIALECTS.flatMap(({ routes }) =>
  routes.filter(({ operation }) => operation !== 'submit').map(({ path }) => clientPath(path)),
);

let app: TestApp;
let upstream: FakeUpstream;
let admin: GatewayConsole;
let key: string;

beforeAll(async () => {
  // One body for every route: each finds in it what the others do not know.
  upstream = await FakeUpstream.start({ isLenient: true });
  app = await startTestApp();
  admin = new GatewayConsole(app.url);
  await admin.setUp();
  await admin.setOptions(FX_PRICES([CHEAP, DEAR]));
  await admin.addChannel({ base_url: upstream.url, models: [CHEAP, DEAR] });
  const user = await admin.addUser('carla', 1_000_000_000);
  ({ key } = await user.addToken());
});
afterAll(async () => {
  await app?.close();
  await upstream?.close();
});

/** @returns the status and how many requests reached the upstream */
async function ask(path: string, credential: string, text = 'hello') {
  const before = upstream.journal.length;
  const isForm = takesForm(path);
  const answer = await fetch(app.url + path.replace('{model}', DEAR), {
    method: 'POST',
    headers: {
      authorization: `Bearer ${credential}`,
      ...(isForm ? {} : { 'content-type': 'application/json' }),
    },
    body: isForm ? everyForm(DEAR, text) : JSON.stringify(everyBody(DEAR, text)),
  });
  const body = await answer.text();
  return { status: answer.status, body, reached: upstream.journal.length - before };
}

describe('what a key may not do it may do on no route [TOK-04]', () => {
  const limited = { model_limits_enabled: true, model_limits: CHEAP };

  it.each(PATHS)('%s with another model than the key allows', async (path) => {
    const { key: narrow } = await admin.addToken(limited);
    const { status, body, reached } = await ask(path, narrow);
    expect({ status, reached }).toEqual({ status: 403, reached: 0 });
    expect(body).toContain(DEAR);
  });

  it.each(PATHS)('%s from another address than the key allows [TOK-05]', async (path) => {
    const { key: far } = await admin.addToken({ allow_ips: '203.0.113.0/24' });
    expect(await ask(path, far)).toMatchObject({ status: 403, reached: 0 });
  });

  it.each(PATHS)('%s at a channel of the user’s choice', async (path) => {
    expect(await ask(path, `${key}-1`)).toMatchObject({ status: 403, reached: 0 });
  });
});

describe('forbidden words [RLY-06]', () => {
  beforeAll(async () => {
    await admin.setOptions({
      CheckSensitiveEnabled: true,
      CheckSensitiveOnPromptEnabled: true,
      SensitiveWords: WORD,
    });
  });
  afterAll(async () => {
    await admin.setOptions({ SensitiveWords: '' });
  });

  // A variation has no words; what is to be judged may hold any.
  it.each(PATHS.filter((path) => !/variations|moderations/.test(path)))('%s', async (path) => {
    const { status, body, reached } = await ask(path, key, `say ${WORD}`);
    expect(body).toContain('not allowed here');
    expect({ status, reached }).toEqual({ status: 400, reached: 0 });
    expect(body).not.toContain(WORD);
  });
});

describe('RLY-12', () => {
  it('a client’s own id of a call is used for nothing', async () => {
    const send = async () => {
      const answer = await fetch(`${app.url}/v1/chat/completions`, {
        method: 'POST',
        headers: {
          authorization: `Bearer ${key}`,
          'content-type': 'application/json',
          'x-request-id': 'mine',
        },
        body: JSON.stringify({ ...everyBody(CHEAP, 'x') }),
      });
      await answer.text();
      return answer.headers.get('x-request-id');
    };
    const ids = [await send(), await send()];
    expect(new Set([...ids, 'mine']).size).toBe(3);
  });
});

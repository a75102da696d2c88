import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { LimitUseEntity } from '../../../../server/base/limits/limit-use.entity.js';
import { DIALECTS } from '../../../../server/relay-core/dialects/registry.js';
import { startTestApp, type TestApp } from '../../../support/build-test-app.js';
import { clientPath, everyBody, everyForm, takesForm } from '../../../support/every-body.js';
import { FakeUpstream } from '../../../support/fake-upstream.js';
import { FX_PRICES, GatewayConsole } from '../../../support/gateway-console.js';
import { until } from '../../../support/until.js';

const MODEL = 'fx-dear';
/** Every route of the relay, as docs/routes.md names it. */
const ROUTES = DIALECTS.flatMap(({ routes }) => routes).map(({ path, operation }) => ({
  path: clientPath(path),
  isSubmission: operation === 'submit',
  isCount: /count_?tokens$/i.test(path),
}));
const CHARGED = ROUTES.filter(({ isCount, isSubmission }) => !isCount && !isSubmission);
const SUBMISSIONS = ROUTES.filter(({ isSubmission }) => isSubmission);

let app: TestApp;
let upstream: FakeUpstream;
let admin: GatewayConsole;
let users = 0;

beforeAll(async () => {
  upstream = await FakeUpstream.start({ isLenient: true });
  app = await startTestApp();
  admin = new GatewayConsole(app.url);
  await admin.setUp();
  await admin.setOptions(FX_PRICES([MODEL]));
  await admin.addChannel({ base_url: upstream.url, models: [MODEL] });
});
afterAll(async () => {
  await app?.close();
  await upstream?.close();
});

/** A fresh account with a limit of so many requests a day, and a key of it. */
async function limitedKey(
  amount: number,
): Promise<{ readonly user: GatewayConsole; readonly key: string; readonly limitId: number }> {
  const user = await admin.addUser(`limited${(users += 1)}`, 1_000_000_000);
  const { id } = await user.send<{ id: number }>('GET', '/api/user/self');
  const limitId = await admin.send<number>('POST', '/api/limits', {
    name: 'requests a day',
    scope: 'account',
    subject: String(id),
    measure: 'requests',
    amount,
    period: 'day',
    // Ends now, whatever the hour.
    rolling: true,
    action: 'refuse',
  });
  const { key } = await user.addToken();
  return { user, key, limitId };
}

async function ask(path: string, key: string) {
  const before = upstream.journal.length;
  const isForm = takesForm(path);
  const answer = await fetch(app.url + path.replace('{model}', MODEL), {
    method: 'POST',
    headers: {
      authorization: `Bearer ${key}`,
      ...(isForm ? {} : { 'content-type': 'application/json' }),
    },
    body: isForm ? everyForm(MODEL, 'hello') : JSON.stringify(bodyFor(path)),
  });
  const body = await answer.text();
  return { status: answer.status, body, reached: upstream.journal.length - before };
}

/** Responses take a stored prompt under the name that completions have for their text. */
function bodyFor(path: string): Record<string, unknown> {
  const { prompt, ...body } = everyBody(MODEL, 'hello');
  return path.endsWith('/responses') ? body : { ...body, prompt };
}

const usedOf = async (limitId: number): Promise<number> => {
  const rows = await app.dataSource.getRepository(LimitUseEntity).findBy({ limitId });
  return rows.reduce((sum, { used }) => sum + used, 0);
};

const PAGE = readFileSync(join(import.meta.dirname, '../../../../docs/routes.md'), 'utf8');
/** Routes of the page that a kind of caller may post to. */
const postedBy = (caller: 'token' | 'user'): string[] =>
  [...PAGE.matchAll(new RegExp(`^\\| ${caller} \\| POST \\| \`([^\`]+)\` \\|$`, 'gm'))].map(
    ([, path = '']) => path,
  );
/** Model calls of a signed-in person. */
const PLAYGROUND = postedBy('user').filter((path) => path.startsWith('/pg/'));

describe('limits per period hold on every route of the relay', () => {
  it('covers every route of docs/routes.md that keys may post to', () => {
    const posted = postedBy('token').map(clientPath);
    const known = new Set(ROUTES.map(({ path }) => path));
    // The others read tasks.
    expect(posted.filter((path) => !known.has(path) && !/\/fetch$|\/list-by-condition$/.test(path))).toEqual(
      [],
    );
    expect(CHARGED.length).toBeGreaterThan(10);
    expect(PLAYGROUND.length).toBeGreaterThanOrEqual(3);
  });

  it.each(PLAYGROUND)('%s counts one request of the account and refuses the next', async (path) => {
    const { user, limitId } = await limitedKey(1);
    const askOnce = async () => {
      const before = upstream.journal.length;
      const answer = await user.fetch('POST', path, everyBody(MODEL, 'hello'));
      return { status: answer.status, body: await answer.text(), reached: upstream.journal.length - before };
    };
    const first = await askOnce();
    expect([first.reached, first.body.includes('limit_reached')]).toEqual([1, false]);
    const second = await askOnce();
    expect([second.status, second.reached]).toEqual([403, 0]);
    expect(second.body).toContain('requests a day');
    await until(async () => (await usedOf(limitId)) === 1);
  });

  it.each(CHARGED.map(({ path }) => path))('%s counts one request and refuses the next', async (path) => {
    const { key, limitId } = await limitedKey(1);
    const first = await ask(path, key);
    expect([first.reached, first.body.includes('limit_reached')]).toEqual([1, false]);
    const second = await ask(path, key);
    expect({ status: second.status, reached: second.reached }).toEqual({ status: 403, reached: 0 });
    expect(second.body).toContain('requests a day');
    await until(async () => (await usedOf(limitId)) === 1);
  });

  it.each(SUBMISSIONS.map(({ path }) => path))('%s sends nothing when the limit is full', async (path) => {
    const { key, limitId } = await limitedKey(0);
    const { status, reached } = await ask(path, key);
    expect(reached).toBe(0);
    expect(status).toBeGreaterThanOrEqual(400);
    expect(await usedOf(limitId)).toBe(0);
  });

  it.each(ROUTES.filter(({ isCount }) => isCount).map(({ path }) => path))(
    '%s counts nothing',
    async (path) => {
      const { key, limitId } = await limitedKey(0);
      const { status } = await ask(path, key);
      expect(status).not.toBe(403);
      expect(await usedOf(limitId)).toBe(0);
    },
  );
});

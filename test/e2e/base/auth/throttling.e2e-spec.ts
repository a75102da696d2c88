import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import request from 'supertest';
import type { ApiClient } from '../../../support/api-client.ts';
import { setUpRoot, signUp, startTestApp, type TestApp } from '../../../support/build-test-app.ts';

/** Requests of every page of the console before any other. */
const PAGE_READS = ['/api/status', '/api/notice', '/api/home_page_content', '/api/about'];
const LIMIT = 12;

describe('limits of the console API', () => {
  let app: TestApp;
  let root: ApiClient;
  let people: ApiClient[];

  const guest = (path: string, address: string): request.Test =>
    request(app.url).get(path).set('X-Forwarded-For', address);

  async function refusalsOf(
    calls: Iterable<() => PromiseLike<{ readonly status: number }>>,
  ): Promise<number> {
    let refused = 0;
    for (const call of calls) if ((await call()).status === 429) refused += 1;
    return refused;
  }

  beforeAll(async () => {
    app = await startTestApp({ env: { GLOBAL_API_RATE_LIMIT: String(LIMIT), TRUST_PROXY: 'loopback' } });
    root = await setUpRoot(app);
    people = [root, await signUp(root, { username: 'anna' }), await signUp(root, { username: 'bernd' })];
  });

  afterAll(async () => {
    await app.close();
  });

  it('serves an office that loads pages behind one address without a refusal', async () => {
    const office = await startTestApp({ env: { GLOBAL_API_RATE_LIMIT: '180' } });
    try {
      const owner = await setUpRoot(office);
      const staff = [
        owner,
        await signUp(owner, { username: 'anna' }),
        await signUp(owner, { username: 'bernd' }),
      ];
      const loads = Array.from({ length: 90 }, (_, load) => async () => {
        const person = load % 3 === 0 ? undefined : staff[load % staff.length];
        const paths = person === undefined ? PAGE_READS : PAGE_READS.concat('/api/user/self');
        const answers = await Promise.all(
          paths.map((path) => (person === undefined ? request(office.url).get(path) : person.get(path))),
        );
        return { status: Math.max(...answers.map(({ status }) => status)) };
      });
      const statuses = new Set<number>();
      for (const load of loads) statuses.add((await load()).status);
      expect([...statuses]).toEqual([200]);
    } finally {
      await office.close();
    }
  });

  it.each(PAGE_READS)('limits %s for guests, too, with the time of the next try', async (path) => {
    const address = `203.0.113.${PAGE_READS.indexOf(path) + 10}`;
    const calls = Array.from({ length: LIMIT * 20 }, () => () => guest(path, address));
    expect(await refusalsOf(calls)).toBe(0);
    const refused = await guest(path, address).expect(429);
    expect(refused.body).toMatchObject({ success: false, code: 'too_many_requests' });
    expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0);
    await guest(path, '203.0.113.99').expect(200);
  });

  it('counts page reads of signed-in people by account, apart from their other requests', async () => {
    const [, anna, bernd] = people;
    if (anna === undefined || bernd === undefined) throw new Error('nobody signed up');
    const calls = Array.from({ length: LIMIT * 10 }, () => () => anna.get('/api/status'));
    expect(await refusalsOf(calls)).toBe(0);
    expect((await anna.get('/api/notice')).status).toBe(429);
    expect((await anna.get('/api/user/self')).status).toBe(200);
    expect((await bernd.get('/api/notice')).status).toBe(200);
  });

  it('counts other requests of guests by network, and reveals only the time of the next try', async () => {
    const address = '203.0.113.50';
    const calls = Array.from({ length: LIMIT }, () => () => guest('/api/user/groups', address));
    expect(await refusalsOf(calls)).toBe(0);
    const refused = await guest('/api/user/groups', address).expect(429);
    expect(Object.keys(refused.headers).filter((name) => name.includes('ratelimit'))).toEqual([]);
    await guest('/api/status', address).expect(200);
  });

  it('serves a payment service that sends for many accounts', async () => {
    const notify = (): request.Test => guest('/api/user/epay/notify', '203.0.113.60');
    expect(await refusalsOf(Array.from({ length: LIMIT * 20 }, () => notify))).toBe(0);
    await notify().expect(429);
  });

  it('never limits a load balancer', async () => {
    const looks = Array.from({ length: LIMIT * 21 }, () => () => guest('/healthz', '203.0.113.70'));
    expect(await refusalsOf(looks)).toBe(0);
  });
});

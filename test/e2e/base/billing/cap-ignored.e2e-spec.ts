import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { checkMoney } from '../../../../server/base/billing/checks/check-money.js';
import { SettlementEntity } from '../../../../server/base/billing/ledger/settlement.entity.js';
import { startTestApp, type TestApp } from '../../../support/build-test-app.ts';
import { createTestDatabase, DATABASE_KINDS, type TestDatabase } from '../../../support/database.ts';
import { FX_PRICES, GatewayConsole } from '../../../support/gateway-console.js';
import { startRedis, type TestRedis } from '../../../support/redis.js';
import { StrictServer } from '../../../support/strict-server.js';
import { RelayClient } from '../../../support/relay-client.js';

const SET_UPS = DATABASE_KINDS.flatMap((kind) => [false, true].map((hasRedis) => ({ kind, hasRedis })));
const WORDS = 20_000;
const ANSWER = 'word '.repeat(WORDS);
const GIVEN = 5_000;

describe.each(SET_UPS)(
  'a vendor that ignores the cap of a call, on $kind with Redis: $hasRedis',
  ({ kind, hasRedis }) => {
    let database: TestDatabase;
    let redis: TestRedis | undefined;
    let upstream: StrictServer;
    let asked = 0;
    let app: TestApp;
    let root: GatewayConsole;
    let count = 0;

    beforeAll(async () => {
      database = await createTestDatabase(kind);
      redis = hasRedis ? await startRedis() : undefined;
      upstream = await StrictServer.start((_request, _body, response) => {
        asked += 1;
        response.writeHead(200, { 'content-type': 'application/json' });
        response.end(
          JSON.stringify({
            id: 'x',
            object: 'chat.completion',
            created: 1,
            model: 'm-long',
            choices: [{ index: 0, message: { role: 'assistant', content: ANSWER }, finish_reason: 'stop' }],
            usage: { prompt_tokens: 10, completion_tokens: WORDS, total_tokens: WORDS + 10 },
          }),
        );
      });
      app = await startTestApp({
        env: {
          DATABASE_URL: database.url,
          ALLOWED_PRIVATE_HOSTS: '127.0.0.1',
          ...(redis === undefined ? {} : { REDIS_URL: redis.url }),
        },
      });
      root = new GatewayConsole(app.url);
      await root.setUp();
      await root.setOptions(FX_PRICES(['m-long']));
      await root.addChannel({ name: 'only', base_url: upstream.url, models: ['m-long'] });
    });
    afterAll(async () => {
      await app.close();
      await upstream.close();
      await Promise.all([database.drop(), redis?.stop()]);
    });

    it.each([1, 12])(
      'takes an account to zero and no further with %i call(s) at once, and keeps it from more',
      async (calls) => {
        const owner = await root.addUser(`spender${(count += 1)}`, GIVEN);
        const { id } = await owner.send<{ id: number }>('GET', '/api/user/self');
        const client = new RelayClient(app.url, (await owner.addToken()).key);
        const ask = () => client.chat('m-long', { max_tokens: 1 });
        const answers = await Promise.all(Array.from({ length: calls }, ask));
        expect(answers[0]?.status).toBe(200);
        const answered = answers.filter(({ status }) => status === 200).length;
        for (const { status } of answers) expect([200, 403]).toContain(status);
        const settlements = app.dataSource.getRepository(SettlementEntity);
        await root.waitFor(
          () => settlements.countBy({ userId: id }),
          (booked) => booked === answered,
        );
        expect(await owner.balance()).toBe(0);
        const booked = await settlements.findBy({ userId: id });
        // Everything the account had is charged, and what it could not pay is on record.
        expect(booked.reduce((sum, { charged }) => sum + charged, 0)).toBe(GIVEN);
        expect(booked.reduce((sum, { writeoff }) => sum + writeoff, 0)).toBeGreaterThan(0);

        const before = asked;
        const refused = await ask();
        expect(refused.status).toBe(403);
        expect(asked).toBe(before);

        // Written-off quota is not deducted later: new money is the account's own.
        await root.send('POST', '/api/user/manage', {
          id,
          action: 'add_quota',
          mode: 'add',
          value: 10_000_000,
        });
        expect((await ask()).status).toBe(200);
        const price = await root.waitFor(
          async () => 10_000_000 - (await owner.balance()),
          (spent) => spent > 0,
        );
        const last = await settlements.find({
          where: { userId: id },
          order: { createdAtMs: 'DESC' },
          take: 1,
        });
        expect(last[0]).toMatchObject({ charged: price, writeoff: 0 });
        expect(await checkMoney(app.dataSource, { isQuiet: false })).toEqual([]);
        client.close();
      },
    );
  },
);

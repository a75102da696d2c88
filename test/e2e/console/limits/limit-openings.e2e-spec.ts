import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { LedgerEntryEntity } from '../../../../server/base/billing/ledger/ledger-entry.entity.js';
import { LogEntity } from '../../../../server/base/logs/log.entity.js';
import { getDataSourceToken } from '@nestjs/typeorm';
import type { DataSource } from 'typeorm';
import { LOG_DATA_SOURCE } from '../../../../server/infra/database/database.module.js';
import { startTestApp, type TestApp } from '../../../support/build-test-app.ts';
import { createTestDatabase, DATABASE_KINDS, type TestDatabase } from '../../../support/database.ts';
import { FakeUpstream } from '../../../support/fake-upstream.ts';
import { FX_PRICES, GatewayConsole } from '../../../support/gateway-console.ts';
import { until } from '../../../support/until.ts';

const MODELS = ['fx-std', 'fx-dear'];

interface View {
  readonly subject_missing: boolean;
  readonly use: { readonly used: number } | null;
}

const PLACES = [...DATABASE_KINDS.map((kind) => [kind, false] as const), ['sqlite', true] as const];

describe.each(PLACES)(
  'limits made in mid-period on %s (usage log in another database: %s)',
  (kind, apart) => {
    let database: TestDatabase;
    let logDatabase: TestDatabase | undefined;
    let app: TestApp;
    let upstream: FakeUpstream;
    let admin: GatewayConsole;
    let ann: GatewayConsole;
    let annId: number;
    let annKey: string;
    let bobKey: string;
    let channelId: number;

    beforeAll(async () => {
      database = await createTestDatabase(kind);
      if (apart) logDatabase = await createTestDatabase(kind);
      upstream = await FakeUpstream.start({ isLenient: true });
      app = await startTestApp({
        env: {
          DATABASE_URL: database.url,
          ...(logDatabase === undefined ? {} : { LOG_DATABASE_URL: logDatabase.url }),
        },
      });
      admin = new GatewayConsole(app.url);
      await admin.setUp();
      await admin.setOptions(FX_PRICES(MODELS));
      channelId = await admin.addChannel({
        base_url: upstream.url,
        models: MODELS,
        tag: 'azure',
        model_mapping: JSON.stringify({ 'fx-dear': 'fx-std' }),
      });
      ann = await admin.addUser('ann', 1_000_000_000);
      const bob = await admin.addUser('bob', 1_000_000_000);
      ({ id: annId } = await ann.send<{ id: number }>('GET', '/api/user/self'));
      ({ key: annKey } = await ann.addToken());
      ({ key: bobKey } = await bob.addToken());
      await call(annKey, { tags: 'red,blue', 'end-user': 'zoe' });
      await call(annKey, { tags: 'red', 'end-user': 'yan' }, 'fx-dear');
      await call(bobKey, { tags: 'red', 'end-user': 'zoe' });
      const logs = app.app.get<DataSource>(getDataSourceToken(LOG_DATA_SOURCE), { strict: false });
      await until(async () => (await logs.getRepository(LogEntity).countBy({ type: 2 })) === 3);
    });
    afterAll(async () => {
      await app?.close();
      await upstream?.close();
      await database?.drop();
      await logDatabase?.drop();
    });

    async function call(
      key: string,
      marks: Readonly<Record<string, string>>,
      model = 'fx-std',
    ): Promise<void> {
      const headers = Object.fromEntries(
        Object.entries(marks).map(([name, value]) => [`x-tollgate-${name}`, value]),
      );
      const answer = await fetch(`${app.url}/v1/chat/completions`, {
        method: 'POST',
        headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json', ...headers },
        body: JSON.stringify({ model, messages: [{ role: 'user', content: 'hello' }] }),
      });
      expect({ status: answer.status, body: await answer.text() }).toMatchObject({ status: 200 });
    }

    /** Use that a limit shows before it is made, and afterwards: by value, the largest first. */
    async function openingOf(limit: Record<string, unknown>): Promise<readonly number[]> {
      // Ends now, whatever the hour.
      const input = {
        name: 'late',
        measure: 'requests',
        amount: 1_000_000_000_000,
        period: 'week',
        rolling: true,
        ...limit,
      };
      const preview = await admin.send<{ used: number }>('POST', '/api/limits/preview', input);
      const id = await admin.send<number>('POST', '/api/limits', input);
      const { uses } = await admin.send<{ uses: { used: number }[] }>('GET', `/api/limits/${id}/history`);
      const used = uses.map((use) => use.used);
      expect(preview.used).toBe(used[0] ?? 0);
      return used;
    }

    it.each([
      ['a tag of all accounts', { scope: 'tag', subject: 'red' }, [3]],
      ['a tag that one call had', { scope: 'tag', subject: 'blue' }, [1]],
      ['each tag', { scope: 'tag', each: true }, [3, 1]],
      ['one model alone', { scope: 'tag', subject: 'red', model: 'fx-dear' }, [1]],
      ['an end user of all accounts', { scope: 'end_user', subject: 'zoe' }, [2]],
      ['each end user', { scope: 'end_user', each: true }, [2, 1]],
      ['the group of calls', { scope: 'call_group', subject: 'default' }, [3]],
      ['a channel tag', { scope: 'channel_tag', subject: 'azure', action: 'pass_over' }, [3]],
      ['a calendar period', { scope: 'tag', subject: 'red', period: 'ever', rolling: false }, [3]],
      ['a tag that no call had', { scope: 'tag', subject: 'green' }, [0]],
    ])('starts with the calls of %s', async (_what, limit, used) => {
      expect(await openingOf(limit)).toEqual(used);
    });

    it('counts calls of the named account alone', async () => {
      expect(await openingOf({ scope: 'tag', subject: 'red', account_id: annId })).toEqual([2]);
      expect(await openingOf({ scope: 'end_user', each: true, account_id: annId })).toEqual([1, 1]);
    });

    it.each(['quota', 'tokens', 'input_tokens', 'output_tokens'])(
      'starts with the %s of the log',
      async (measure) => {
        const [tagged] = await openingOf({ scope: 'tag', subject: 'red', measure });
        const [all] = await openingOf({ scope: 'everyone', measure });
        const [grouped] = await openingOf({ scope: 'call_group', subject: 'default', measure });
        expect(tagged).toBeGreaterThan(0);
        expect([tagged, grouped]).toEqual([all, all]);
      },
    );

    it('leaves out what was given back of a call', async () => {
      if (apart) return;
      const wide = { measure: 'quota', model: 'fx-std' };
      const [before = 0] = await openingOf({ scope: 'account', subject: String(annId), ...wide });
      const line = await app.dataSource
        .getRepository(LogEntity)
        .findOneByOrFail({ userId: annId, modelName: 'fx-std' });
      await app.dataSource.getRepository(LedgerEntryEntity).insert({
        userId: annId,
        kind: 'correction',
        amount: 3,
        quotaAfter: 0,
        ref: line.requestId ?? '',
        actorId: 0,
        reason: 'test',
        createdAtMs: Date.now(),
      });
      expect(await openingOf({ scope: 'everyone', model: 'fx-std', measure: 'quota' })).toEqual([
        2 * before - 3,
      ]);
      expect(await openingOf({ scope: 'tag', subject: 'blue', ...wide })).toEqual([before - 3]);
    });

    it('refuses the call that the calls before leave no room for', async () => {
      await openingOf({ scope: 'tag', subject: 'red', period: 'month', amount: 3 });
      const answer = await fetch(`${app.url}/v1/chat/completions`, {
        method: 'POST',
        headers: {
          authorization: `Bearer ${annKey}`,
          'content-type': 'application/json',
          'x-tollgate-tags': 'red',
        },
        body: JSON.stringify({ model: 'fx-std', messages: [{ role: 'user', content: 'hello' }] }),
      });
      expect({ status: answer.status, text: await answer.text() }).toMatchObject({
        status: 403,
        text: expect.stringContaining('limit_reached'),
      });
    });

    it('marks a channel tag that no channel has any more, and deletes its limit', async () => {
      const id = await admin.send<number>('POST', '/api/limits', {
        name: 'tagged',
        scope: 'channel_tag',
        subject: 'azure',
        measure: 'quota',
        amount: 5,
        period: 'month',
        action: 'pass_over',
        enabled: false,
      });
      expect((await admin.send<View>('GET', `/api/limits/${id}`)).subject_missing).toBe(false);
      await admin.send('POST', '/api/channel/batch/tag', { ids: [channelId], tag: null });
      expect((await admin.send<View>('GET', `/api/limits/${id}`)).subject_missing).toBe(true);
      await admin.send('DELETE', `/api/limits/${id}`);
      expect(await admin.sendRaw('GET', `/api/limits/${id}`)).toMatchObject({ success: false });
    });
  },
);

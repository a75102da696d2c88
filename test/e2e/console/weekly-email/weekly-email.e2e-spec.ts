import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { AuditEventEntity } from '../../../../server/base/audit/audit-event.entity.js';
import { ALL_USERS } from '../../../../server/base/billing/ledger/all-users.js';
import { UsageTotalEntity } from '../../../../server/base/billing/ledger/usage-total.entity.js';
import { LOG_TYPE } from '../../../../server/base/logs/log.codes.js';
import { LogsRepository } from '../../../../server/base/logs/logs.repository.js';
import { UserEntity } from '../../../../server/base/users/user.entity.js';
import { weekAt } from '../../../../server/console/weekly-email/week.js';
import type { WeeklyEmailView } from '../../../../server/console/weekly-email/dto/weekly-email.dto.js';
import { WeeklyEmailEntity } from '../../../../server/console/weekly-email/weekly-email.entity.js';
import { WeeklyEmailJob } from '../../../../server/console/weekly-email/weekly-email-job.js';
import { ApiClient } from '../../../support/api-client.ts';
import {
  ROOT_ACCOUNT,
  setUpRoot,
  signUp,
  startTestApp,
  type TestApp,
} from '../../../support/build-test-app.ts';
import { createTestDatabase, DATABASE_KINDS, type TestDatabase } from '../../../support/database.js';
import { type MailServer, mailOptions, startMailServer } from '../../../support/mail-server.ts';
import { ShiftedClock } from '../../../support/shifted-clock.ts';

const HOUR_MS = 3_600_000;
const PASSWORD = 'password-of-a-test';
const PATH = '/api/user/self/weekly_email';

describe.each(DATABASE_KINDS)('weekly e-mail, two instances on %s', (kind) => {
  const clock = new ShiftedClock();
  let mail: MailServer;
  let database: TestDatabase;
  let one: TestApp;
  let two: TestApp;
  let root: ApiClient;
  let ann: ApiClient;
  let ben: ApiClient;

  beforeAll(async () => {
    mail = await startMailServer();
    database = await createTestDatabase(kind);
    const env = {
      DATABASE_URL: database.url,
      ALLOWED_PRIVATE_HOSTS: '127.0.0.1',
      SERVER_ADDRESS: 'https://gate.example',
    };
    one = await startTestApp({ env, clock });
    two = await startTestApp({ env, clock });
    root = await setUpRoot(one);
    await root.expectSuccess('PUT', '/api/option/', mailOptions(mail));
    ann = await signUp(root, { username: 'ann', password: PASSWORD });
    ben = await signUp(root, { username: 'ben', password: PASSWORD });
    await address(root, 'root@example.test');
    await address(ann, 'ann@example.test');
    await address(ben, 'ben@example.test');
    await ann.expectSuccess('PUT', '/api/user/setting', { language: 'zh', time_zone: 'Asia/Shanghai' });
  });
  afterAll(async () => {
    await one.close();
    await two.close();
    await database.drop();
    await mail.close();
  });
  beforeEach(async () => {
    mail.refusal = undefined;
    await signIn();
    await one.dataSource.getRepository(WeeklyEmailEntity).createQueryBuilder().delete().execute();
  });

  /** Logins end while the clock leaps over weeks. */
  const signIn = async () => {
    root = await ApiClient.signIn(one.url, ROOT_ACCOUNT.username, ROOT_ACCOUNT.password);
    ann = await ApiClient.signIn(one.url, 'ann', PASSWORD);
    ben = await ApiClient.signIn(one.url, 'ben', PASSWORD);
  };
  const address = ({ userId }: ApiClient, email: string) =>
    one.dataSource.getRepository(UserEntity).update({ id: userId }, { email, emailFolded: email });
  const row = ({ userId }: ApiClient) =>
    one.dataSource.getRepository(WeeklyEmailEntity).findOneByOrFail({ userId });
  const switchOn = (client: ApiClient) =>
    client.expectSuccess<WeeklyEmailView>('PUT', PATH, { enabled: true });
  const runOn = ({ app }: TestApp) => app.get(WeeklyEmailJob, { strict: false }).run();
  const runBoth = () => Promise.all([runOn(one), runOn(two)]);
  const lettersTo = (to: string) => mail.letters.filter((letter) => letter.to.includes(to));
  const untilDue = async (client: ApiClient) =>
    clock.advance(Math.max(0, ((await row(client)).dueAtMs ?? 0) - clock.nowMs() + 1_000));
  const use = (userId: number, modelName: string, createdAt: number, count: number, quota: number) =>
    one.dataSource
      .getRepository(UsageTotalEntity)
      .insert({ userId, modelName, createdAt, tokenUsed: 1, count, quota });
  const fail = async ({ userId }: ApiClient, modelName: string, createdAt: number, requestId: string) =>
    one.app.get(LogsRepository, { strict: false }).insertMany([
      {
        userId,
        createdAt,
        type: LOG_TYPE.error,
        content: '',
        username: '',
        tokenName: '',
        modelName,
        quota: 0,
        promptTokens: 0,
        completionTokens: 0,
        useTime: 0,
        isStream: false,
        channelId: 0,
        tokenId: 0,
        hadFailedAttempt: 0,
        group: '',
        other: JSON.stringify({ error_code: 'price-missing' }),
        requestId,
      },
    ]);
  const stopUrlOf = (text: string): string => {
    const url = /https:\/\/gate\.example(\/api\/user\/weekly_email\/stop\?\S+)/.exec(text)?.[1];
    if (url === undefined) throw new Error('the letter has no link that stops it');
    return one.url + url;
  };

  it('starts off, and records each switch once in the audit log', async () => {
    expect(await ann.expectSuccess('GET', PATH)).toEqual({
      enabled: false,
      available: true,
      address: 'ann@example.test',
      next_at: null,
    });
    const on = await switchOn(ann);
    expect(on).toMatchObject({ enabled: true, address: 'ann@example.test' });
    // Eight on a Monday in Shanghai is midnight UTC.
    expect(new Date((on.next_at ?? 0) * 1_000).toISOString()).toMatch(/T00:00:00/);
    expect(new Date((on.next_at ?? 0) * 1_000).getUTCDay()).toBe(1);
    await switchOn(ann);
    await ann.expectSuccess('PUT', PATH, { enabled: false });
    const events = await one.dataSource
      .getRepository(AuditEventEntity)
      .findBy({ action: 'user.weekly_email', targetId: String(ann.userId) });
    expect(events.map(({ detail }) => JSON.parse(detail) as unknown)).toEqual([
      { now: true, way: 'settings' },
      { now: false, way: 'settings' },
    ]);
  });

  it('leaves once from two instances, with the figures of its account alone', async () => {
    await switchOn(ann);
    await untilDue(ann);
    const week = weekAt('Asia/Shanghai', Math.floor(clock.nowMs() / 1_000));
    await use(ann.userId, 'model-a', week.from, 3, 1_000_000);
    await use(ann.userId, 'model-a', week.from - 900, 2, 500_000);
    await use(ann.userId, 'model-a', week.to, 9, 9_000_000);
    await use(ben.userId, 'model-of-ben', week.from, 7, 7_000_000);
    await fail(ann, 'unpriced-of-ann', week.to - 60, 'r-ann');
    await fail(ben, 'unpriced-of-ben', week.to - 60, 'r-ben');
    await runBoth();
    await runBoth();
    const letters = lettersTo('ann@example.test');
    expect(letters).toHaveLength(1);
    const { text = '', html = '', headers, subject } = letters[0] ?? {};
    expect(subject).toContain('您的周报');
    expect(text).toContain('$2.00（较上周 +100%）');
    expect(text).toContain('3（较上周 +50%）');
    expect(text).toContain('model-a');
    expect(text).toContain('模型 unpriced-of-ann 未设置价格');
    expect(text).toContain('https://gate.example/detail');
    expect(text + html).not.toMatch(/ben/);
    expect(html).toContain('<html lang="zh-CN">');
    expect(headers?.['list-unsubscribe-post']).toBe('List-Unsubscribe=One-Click');
    expect(headers?.['list-unsubscribe']).toContain('/api/user/weekly_email/stop?');
    expect(headers?.['message-id']).toBe(`<weekly-${ann.userId}-${week.number}@mail.test>`);
  });

  it('shows administrators the instance, without names of accounts', async () => {
    await switchOn(root);
    await untilDue(root);
    const week = weekAt('UTC', Math.floor(clock.nowMs() / 1_000));
    await use(ALL_USERS, 'model-z', week.from + 900, 40, 20_000_000);
    await runBoth();
    const [letter] = lettersTo('root@example.test');
    expect(letter?.subject).toContain('the instance');
    expect(letter?.text).toContain('$40.00');
    expect(letter?.text).toContain('unpriced-of-ben has no price');
    expect(letter?.text).not.toMatch(/ben@|ann@/);
  });

  it('tries a mailbox that refuses again later, and sends once', async () => {
    await switchOn(ben);
    await untilDue(ben);
    mail.refusal = 451;
    await runBoth();
    const failed = await row(ben);
    expect(failed).toMatchObject({ failures: 1, lastWeek: 0 });
    await runBoth();
    expect((await row(ben)).failures).toBe(1);
    mail.refusal = undefined;
    clock.advance(HOUR_MS + 1_000);
    await runBoth();
    await runBoth();
    expect(lettersTo('ben@example.test')).toHaveLength(1);
    expect(await row(ben)).toMatchObject({ failures: 0 });
    expect((await row(ben)).dueAtMs).toBeGreaterThan(clock.nowMs());
  });

  it('leaves out a week after four more attempts', async () => {
    await switchOn(ben);
    await untilDue(ben);
    mail.refusal = 451;
    for (const hours of [0, 1, 4, 12, 24]) {
      clock.advance(hours * HOUR_MS + 1_000);
      await runOn(one);
    }
    const { dueAtMs, lastWeek, failures } = await row(ben);
    expect([failures, lastWeek]).toEqual([0, weekAt('UTC', Math.floor(clock.nowMs() / 1_000)).number]);
    expect(dueAtMs).toBeGreaterThan(clock.nowMs());
  });

  it('stays away long after it was due, and while root has switched it off', async () => {
    await switchOn(ben);
    await untilDue(ben);
    await signIn();
    const before = mail.letters.length;
    await root.expectSuccess('PUT', '/api/option/', [{ key: 'WeeklyEmailEnabled', value: false }]);
    await runOn(one);
    expect((await ben.send('PUT', PATH, { enabled: true })).body.code).toBe('weekly_email_unavailable');
    await root.expectSuccess('PUT', '/api/option/', [{ key: 'WeeklyEmailEnabled', value: true }]);
    clock.advance(80 * HOUR_MS);
    await runBoth();
    expect(mail.letters).toHaveLength(before);
    expect((await row(ben)).dueAtMs).toBeGreaterThan(clock.nowMs());
  });

  it('stops by its link without a sign-in: GET shows a page, POST acts', async () => {
    await switchOn(ann);
    await untilDue(ann);
    await runOn(one);
    const letter = lettersTo('ann@example.test').at(-1);
    const url = stopUrlOf(letter?.text ?? '');
    const page = await fetch(url);
    expect([page.status, page.headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8']);
    expect(await page.text()).toContain('停止接收每周摘要？');
    expect((await row(ann)).dueAtMs).not.toBeNull();
    const form = {
      method: 'POST',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      body: 'List-Unsubscribe=One-Click',
    };
    const forged = url.replace(/account=\d+/, `account=${ben.userId}`);
    expect((await fetch(forged, form)).status).toBe(400);
    expect((await fetch(url.replace(/signature=./, 'signature='), form)).status).toBe(400);
    expect((await row(ann)).dueAtMs).not.toBeNull();
    for (const _again of [1, 2]) {
      const stopped = await fetch(url, form);
      expect([stopped.status, await stopped.text()]).toEqual([
        200,
        expect.stringContaining('每周摘要已关闭'),
      ]);
    }
    expect((await row(ann)).dueAtMs).toBeNull();
    const events = await one.dataSource
      .getRepository(AuditEventEntity)
      .findBy({ action: 'user.weekly_email', targetId: String(ann.userId), actorId: 0 });
    expect(events.map(({ detail }) => JSON.parse(detail) as unknown)).toEqual([{ now: false, way: 'link' }]);
  });
});

import { createHmac } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { DegradedModes } from '../../../../server/infra/observability/degraded-modes.js';
import { BooksCheckEntity } from '../../../../server/console/operations/money-check/books-check.entity.js';
import { DatabaseAlarm } from '../../../../server/console/operations/alerts/database-alarm.js';
import { StoreProbe } from '../../../../server/console/operations/fleet/store-probe.js';
import { type AlertsFixture, HOOK_SECRET, RECEIVER, startAlertsFixture } from './alerts.fixture.ts';

/** Books that differ stand for anything that is wrong: the rules themselves are tested beside their code. */
describe('alerts', () => {
  let fixture: AlertsFixture;

  beforeEach(async () => {
    fixture = await startAlertsFixture();
  });
  afterEach(() => fixture.close());

  const books = (differences: number): Promise<unknown> =>
    fixture.app.dataSource.getRepository(BooksCheckEntity).insert({
      startedAtMs: fixture.clock.nowMs(),
      endedAtMs: fixture.clock.nowMs(),
      differences,
      detail: '[]',
    });

  it('sends each alert once, signed, with advice, and once more when it is resolved', async () => {
    await books(2);
    await fixture.look();
    await fixture.look();
    expect(fixture.told()).toEqual(['alert_books-differ']);
    const [call] = fixture.hook.calls;
    const body = call?.body ?? '';
    const signature = createHmac('sha256', HOOK_SECRET).update(body).digest('hex');
    expect(call?.headers['x-webhook-signature']).toBe(signature);
    expect(JSON.parse(body)).toMatchObject({
      title: 'Alert: The ledger differs',
      content: expect.stringContaining('npm run money:check'),
      values: ['books-differ', '', 'fault', expect.any(String), expect.stringContaining('"differences":2')],
    });
    const letter = await fixture.mail.letterTo(RECEIVER);
    expect(letter.text).toContain('found by the daily check: 2.');
    expect(letter.text).toContain('https://gate.example/status');
    await books(0);
    await fixture.look();
    await fixture.look();
    expect(fixture.told()).toEqual(['alert_books-differ', 'alert_books-differ_over']);
    expect((await fixture.alerts()).map(({ over_at, told_at }) => [over_at !== null, told_at > 0])).toEqual([
      [true, true],
    ]);
  });

  it('sends nothing about short faults, and sends them after the quiet time', async () => {
    await books(1);
    await fixture.look();
    await books(0);
    await fixture.look();
    await books(1);
    await fixture.look();
    expect(fixture.told()).toEqual(['alert_books-differ', 'alert_books-differ_over']);
    expect(await fixture.alerts()).toMatchObject([{ over_at: null, repeats: 1 }]);
    await fixture.look(15 * 60_000);
    expect(fixture.told()).toEqual(['alert_books-differ', 'alert_books-differ_over', 'alert_books-differ']);
  });

  it('tries again when no recipient was reached, and records the reason', async () => {
    await fixture.set({ AlertMailReceivers: '' });
    fixture.hook.answer = { status: 500 };
    await books(1);
    await fixture.look();
    expect(await fixture.alerts()).toMatchObject([
      { told_at: 0, tell_fault: 'webhook: the receiver answered with another status than 2xx' },
    ]);
    fixture.hook.answer = { status: 204 };
    await fixture.look();
    expect(await fixture.alerts()).toMatchObject([{ told_at: expect.any(Number), tell_fault: '' }]);
    await fixture.look();
    expect(fixture.told()).toHaveLength(2);
  });

  it('sends none again after an acknowledgement, which is audited', async () => {
    fixture.hook.answer = { status: 500 };
    await fixture.set({ AlertMailReceivers: '' });
    await books(1);
    await fixture.look();
    const [alert] = await fixture.alerts();
    await fixture.root.expectSuccess('POST', `/api/operations/alerts/${alert?.id}/acknowledge`, {});
    await fixture.look();
    expect(fixture.told()).toHaveLength(1);
    expect(await fixture.alerts()).toMatchObject([{ acknowledged_by: 'root', over_at: null }]);
    const audit = (await fixture.root.expectSuccess('GET', '/api/audit?action=alert.acknowledge')) as {
      items: unknown[];
    };
    expect(audit.items).toHaveLength(1);
    expect((await fixture.root.post('/api/operations/alerts/999/acknowledge', {})).body.code).toBe(
      'not_found',
    );
  });

  it('neither stores nor sends them while the rule or all of them are off', async () => {
    await fixture.set({ AlertRulesOff: 'books-differ,error-rate' });
    await books(1);
    await fixture.look();
    expect(await fixture.alerts()).toEqual([]);
    expect((await fixture.status()).findings).toMatchObject([{ rule: 'books-differ' }]);
    await fixture.set({ AlertRulesOff: '', AlertsEnabled: false });
    await fixture.look();
    expect(fixture.told()).toEqual([]);
  });

  it('notifies every root account by its own method when no recipient is named', async () => {
    await fixture.set({ AlertMailReceivers: '', AlertWebhookUrl: '', AlertWebhookSecret: null });
    await fixture.root.expectSuccess('PUT', '/api/user/setting', {
      notify_type: 'webhook',
      webhook_url: `https://localhost:${fixture.hook.port}/root`,
      webhook_secret: '',
      quota_warning_threshold: 1,
    });
    await books(1);
    await fixture.look();
    expect(fixture.hook.calls).toMatchObject([{ path: '/root' }]);
    expect(JSON.parse(fixture.hook.calls[0]?.body ?? '')).toMatchObject({ type: 'alert' });
  });

  it('sends a test and reports the recipients it reached', async () => {
    const test = () => fixture.root.expectSuccess('POST', '/api/operations/alerts/test', {});
    expect(await test()).toEqual({ reached: 2, fault: '' });
    expect(fixture.told()).toEqual(['alert_test']);
    fixture.hook.answer = { status: 404 };
    expect(await test()).toEqual({
      reached: 1,
      fault: 'webhook: the receiver answered with another status than 2xx',
    });
  });

  it('keeps the secret of the webhook, which does not move to another host without it', async () => {
    const move = { key: 'AlertWebhookUrl', value: 'https://elsewhere.example/alerts' };
    expect((await fixture.root.put('/api/option/', move)).body.code).toBe('option_secret_retype');
    const options = (await fixture.root.expectSuccess('GET', '/api/option/')) as {
      key: string;
      is_set?: boolean;
    }[];
    expect(options.find(({ key }) => key === 'AlertWebhookSecret')?.is_set).toBe(true);
  });

  it('reports a database outage without the database, and stores it afterwards', async () => {
    const alarm = fixture.app.app.get(DatabaseAlarm, { strict: false });
    const probe = fixture.app.app.get(StoreProbe, { strict: false });
    const query = fixture.app.dataSource.query.bind(fixture.app.dataSource);
    fixture.app.dataSource.query = () => Promise.reject(new Error('connection refused'));
    await probe.database();
    await alarm.look();
    expect(fixture.told()).toEqual([]);
    fixture.clock.advance(61_000);
    await alarm.look();
    await alarm.look();
    expect(fixture.told()).toEqual(['alert_database-away']);
    fixture.app.dataSource.query = query;
    await probe.database();
    await alarm.look();
    expect(fixture.told()).toEqual(['alert_database-away', 'alert_database-away_over']);
    expect(await fixture.alerts()).toMatchObject([{ rule: 'database-away', over_at: expect.any(Number) }]);
  });

  it('reports a read-only database while it lasts, and once, whatever is found afterwards', async () => {
    const alarm = fixture.app.app.get(DatabaseAlarm, { strict: false });
    const modes = fixture.app.app.get(DegradedModes, { strict: false });
    modes.set('database-read-only', 'the server runs with read_only');
    await alarm.look();
    fixture.clock.advance(59_000);
    await alarm.look();
    expect(fixture.told()).toEqual([]);
    fixture.clock.advance(2_000);
    await alarm.look();
    await alarm.look();
    expect(fixture.told()).toEqual(['alert_degraded-mode']);
    const body = JSON.parse(fixture.hook.calls[0]?.body ?? '') as {
      content: string;
      values: readonly string[];
    };
    expect(body.content).toContain('the server runs with read_only');
    expect(body.values.slice(0, 3)).toEqual(['degraded-mode', 'database-read-only', 'fault']);

    // It takes changes again, and the last report still lists the fault.
    await fixture.look();
    expect(fixture.told()).toEqual(['alert_degraded-mode']);
    modes.set('database-read-only', null);
    await alarm.look();
    await fixture.look();
    expect(fixture.told()).toEqual(['alert_degraded-mode', 'alert_degraded-mode_over']);
    expect(await fixture.alerts()).toMatchObject([
      { rule: 'degraded-mode', subject: 'database-read-only', over_at: expect.any(Number) },
    ]);
  });
});

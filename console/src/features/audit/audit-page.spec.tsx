import { afterEach, describe, expect, it } from '@jest/globals';
import { cleanup, screen, waitFor, within } from '@testing-library/react';
import { changeLanguage, type LanguageCode } from '../../i18n';
import { aStatus, NOON } from '../../testing/builders';
import { FakeApi, pageOf } from '../../testing/fake-api';
import { renderConsole } from '../../testing/render';
import type { AuditChain, AuditEvent } from './api';
import { actorText, auditFacts, auditSummary } from './audit-detail';
import { serverFilters } from './audit-filters';

let api: FakeApi;
afterEach(() => api.stop());

function anEvent(parts: Partial<AuditEvent> = {}): AuditEvent {
  return {
    sequence: 12,
    created_at: NOON,
    actor_id: 1,
    actor_role: 100,
    actor_name: 'root',
    ip: '192.0.2.7',
    request_id: '20261121120000abc',
    action: 'user.disable',
    target_type: 'user',
    target_id: '2',
    detail: '{"status":{"old":1,"new":2}}',
    hash: 'f'.repeat(64),
    ...parts,
  };
}

function aChain(parts: Partial<AuditChain> = {}): AuditChain {
  return {
    intact: true,
    first_sequence: 1,
    verified_up_to: 12,
    head_sequence: 12,
    head_hash: 'a'.repeat(64),
    fault: null,
    checked_at: NOON,
    ...parts,
  };
}

function auditApi(chain: AuditChain = aChain()): FakeApi {
  api = new FakeApi({
    'GET /api/status': { data: aStatus() },
    'GET /api/audit': pageOf([
      anEvent(),
      anEvent({ sequence: 11, action: 'option.change', target_type: 'option', target_id: 'SystemName' }),
    ]),
    'GET /api/audit/chain': { data: chain },
  });
  return api;
}

describe('the audit log', () => {
  it('opens for root only', async () => {
    auditApi();
    renderConsole('/audit', api, { role: 10 });
    expect(await screen.findByText('You don’t have access to this page')).toBeVisible();
  });

  it('shows up to where the chain was verified, and the hash to keep', async () => {
    auditApi();
    renderConsole('/audit', api);
    const state = within(await screen.findByRole('region', { name: 'State of the chain', busy: false }));
    expect(state.getByText('Intact')).toBeVisible();
    expect(state.getByText('Verified from #1 to #12')).toBeVisible();
    expect(state.getByText('a'.repeat(64))).toBeVisible();
  });

  it.each([
    ['changed', 'Row #7 was changed after it was written.'],
    ['missing', 'Row #7 is missing.'],
    ['misplaced', 'Row #7 does not follow from the one before.'],
    ['head', 'The newest rows after #7 are missing or were added by another program.'],
    ['base', 'The rows before #7 were removed other than by the retention rule.'],
  ] as const)('says what is wrong when rows are %s', async (kind, sentence) => {
    auditApi(aChain({ intact: false, verified_up_to: 6, fault: { sequence: 7, kind } }));
    renderConsole('/audit', api);
    expect(await screen.findByText('Broken')).toBeVisible();
    expect(screen.getByText('Verified from #1 to #6')).toBeVisible();
    expect(screen.getByRole('alert')).toHaveTextContent(sentence);
  });

  it('lists who did what to whom, and opens a row in full', async () => {
    auditApi();
    const { user } = renderConsole('/audit', api);
    const row = (await screen.findByText('user.disable')).closest('tr') as HTMLElement;
    for (const text of ['12', 'root #1', 'User 2', 'Status: Active → Banned']) {
      expect(within(row).getByText(text)).toBeVisible();
    }
    await user.click(within(row).getByRole('button', { name: /^User banned/ }));
    const drawer = within(await screen.findByRole('dialog', { name: '#12 User banned' }));
    expect(drawer.getByText('192.0.2.7')).toBeVisible();
    expect(drawer.getByText('f'.repeat(64))).toBeVisible();
  });

  it.each<[LanguageCode, ...string[]]>([
    [
      'en',
      'Amount: −$0.50 · Reason: wrong top-up · Username: ann',
      'Status: Unused → Disabled',
      'Quota: $10.00 · Expires: never',
    ],
    [
      'zh',
      '变动额度: −$0.50 · 原因: wrong top-up · 用户名: ann',
      '状态: 未使用 → 已禁用',
      '额度: $10.00 · 过期时间: 永不',
    ],
  ])('shows a record in the texts of %s, amounts as everywhere', async (language, ...summaries) => {
    const details = [
      ['user.add_quota', 'user', '{"amount":-250000,"reason":"wrong top-up","username":"ann"}'],
      ['redemption.disable', 'redemption', '{"status":{"old":1,"new":2}}'],
      ['redemption.create', 'redemption', '{"quota":5000000,"expired_time":0}'],
    ] as const;
    auditApi().answer({
      'GET /api/audit': pageOf(
        details.map(([action, target, detail], index) =>
          anEvent({ sequence: index + 1, action, target_type: target, detail }),
        ),
      ),
    });
    await changeLanguage(language);
    try {
      renderConsole('/audit', api);
      for (const summary of summaries) expect(await screen.findByText(summary)).toBeVisible();
    } finally {
      cleanup();
      await changeLanguage('en');
    }
  });

  it('filters by a click on a value, and by what is typed', async () => {
    auditApi();
    const { user } = renderConsole('/audit', api);
    const row = (await screen.findByText('user.disable')).closest('tr') as HTMLElement;
    await user.click(within(row).getByRole('button', { name: 'Only Target User 2' }));
    await user.type(screen.getByRole('searchbox', { name: 'Action: user.*' }), 'user{Enter}');
    await waitFor(() =>
      expect(Object.fromEntries(api.made('GET /api/audit').at(-1)?.query ?? [])).toEqual({
        action: 'user.*',
        target_type: 'user',
        target_id: '2',
        p: '1',
        page_size: '10',
      }),
    );
    expect(screen.getByRole('button', { name: /Type: User/ })).toBeVisible();
  });

  it('offers to try again when it could not be loaded', async () => {
    auditApi().answer({ 'GET /api/audit': { refused: 'away', status: 500 } });
    renderConsole('/audit', api);
    expect(await screen.findByText('Could not load the audit log')).toBeVisible();
  });
});

describe('what is recorded', () => {
  it('shows old and new as one line, and other members as they are', () => {
    expect(auditFacts('{"role":{"old":1,"new":10},"note":"","keys":["a"],"by":{"x":1}}')).toEqual([
      { name: 'role', value: '1 → 10' },
      { name: 'keys', value: '["a"]' },
      { name: 'by', value: '{"x":1}' },
    ]);
    expect(auditSummary('{"mode":"add","value":5}')).toBe('mode: add · value: 5');
    expect(auditFacts('not json')).toEqual([{ name: 'detail', value: 'not json' }]);
    expect(auditFacts('')).toEqual([]);
  });

  // The documents below are what the server records.
  it.each([
    [
      '{"note":"","options":[{"before":null,"now":"false","option":"SMTPStartTLSEnabled"},{"now":"changed","option":"SMTPToken"}],"source":"edit"}',
      'SMTPStartTLSEnabled: – → false · SMTPToken: changed · source: edit',
    ],
    ['{"role":10,"role_before":1,"status":1,"status_before":1}', 'role: 1 → 10'],
    [
      '{"amount":500,"display_name_after":"Al","display_name_before":"","reason":"","username":"alice"}',
      'amount: 500 · display_name: – → Al · username: alice',
    ],
    ['{"before":"alice","now":"alicia"}', 'now: alice → alicia'],
    ['{"after":"b@x.test","before":""}', 'after: – → b@x.test'],
    ['{"before":1763760000,"count":3}', 'before: 1763760000 · count: 3'],
    ['{"name":{"before":"a","now":"b"},"key":"changed"}', 'name: a → b · key: changed'],
    ['{"ids":[1,2]}', 'ids: [1,2]'],
    [
      '{"text":"Updated channel 3","changes":{"name":{"before":"a","now":"b"},"key":"changed"}}',
      'name: a → b · key: changed',
    ],
    ['{"text":"Rebuilt the abilities of 3 channels"}', 'text: Rebuilt the abilities of 3 channels'],
  ])('reads %s', (detail, summary) => {
    expect(auditSummary(detail)).toBe(summary);
  });

  it('names the system, guests, and whom it only knows by id', () => {
    const words = { system: 'System', guest: 'Guest' };
    expect(actorText({ actor_id: 0, actor_name: '', ip: '' }, words)).toBe('System');
    expect(actorText({ actor_id: 0, actor_name: '', ip: '192.0.2.7' }, words)).toBe('Guest');
    expect(actorText({ actor_id: 4, actor_name: '', ip: '' }, words)).toBe('#4');
  });

  it('asks the server for whole things, exact actions and a period', () => {
    const none = { action: '', actor: '', type: '', target: '', range: '' };
    expect(serverFilters({ ...none, action: 'user' }, 90).action).toBe('user.*');
    expect(serverFilters({ ...none, action: 'user.edit' }, 90).action).toBe('user.edit');
    expect(serverFilters({ ...none, actor: 'root' }, 90).actor_id).toBe('');
    expect(serverFilters({ ...none, range: 'hour' }, 7_290).start_timestamp).toBe('3660');
  });
});

import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { AuditEventEntity } from '../../../../server/base/audit/audit-event.entity.js';
import {
  isForRootAlone,
  mayChangeOption,
  isSecret,
  OPTION_CATALOGUE,
  OPTION_KEYS,
  type OptionKey,
  optionRow,
} from '../../../../server/base/options/option-catalogue.js';
import {
  isSectionToTick,
  SECTIONS_TICKED_AT_FIRST,
  SECTIONS_TO_TICK,
} from '../../../../server/base/options/option-sections.js';
import { OptionEntity } from '../../../../server/base/options/option.entity.js';
import { ApiClient } from '../../../support/api-client.ts';
import { setUpRoot, signUp, startTestApp, type TestApp } from '../../../support/build-test-app.ts';

interface OptionLine {
  readonly key: string;
  readonly value: string;
  readonly section: string;
  readonly may_change: boolean;
  readonly is_set?: boolean;
}

const ROLES = { guest: 0, user: 1, admin: 10, root: 100 } as const;
type Role = keyof typeof ROLES;

let app: TestApp;
let clients: Record<Role, ApiClient>;

beforeAll(async () => {
  app = await startTestApp({ env: { GLOBAL_API_RATE_LIMIT: '0' } });
  const root = await setUpRoot(app);
  clients = {
    guest: new ApiClient(app.url),
    user: await signUp(root, { username: 'ordinary' }),
    admin: await signUp(root, { username: 'warden', role: 'admin' }),
    root,
  };
});
afterAll(() => app.close());

const listOf = (role: Role) => clients[role].expectSuccess<OptionLine[]>('GET', '/api/option/');
const tick = (sections: readonly string[]) =>
  clients.root.expectSuccess('PUT', '/api/option/', {
    key: 'AdministratorSections',
    value: sections.join(','),
  });

/**
 * Current value of an option: storing it again tests the permission, and changes nothing. A secret is left as it is by an empty
 * text.
 */
const sameValue = (key: OptionKey): string => {
  const row = optionRow(key);
  return isSecret(key) ? '' : row.format(row.fallback);
};

/** Writes every option as it is. @returns the keys that were let in */
async function writable(role: Role): Promise<Set<string>> {
  const letIn = new Set<string>();
  const values = new Map((await listOf('root')).map(({ key, value }) => [key, value]));
  for (const key of OPTION_KEYS) {
    const value = isSecret(key) ? '' : (values.get(key) ?? sameValue(key));
    const { status, body } = await clients[role].put('/api/option/', { key, value });
    if (status === 200 && body.success === true) letIn.add(key);
    else if (role !== 'guest' && body.code !== 'not_permitted')
      throw new Error(`${role} ${key}: ${status} ${JSON.stringify(body)}`);
  }
  return letIn;
}

describe('every option and every role', () => {
  it.each(['guest', 'user'] as const)('a %s reads none and writes none', async (role) => {
    expect((await clients[role].get('/api/option/')).body.data).toBeUndefined();
    expect((await clients[role].get('/api/option/history')).body.data).toBeUndefined();
    expect(await writable(role)).toEqual(new Set());
  });

  it('root reads and writes all', async () => {
    expect((await listOf('root')).filter(({ may_change: may }) => !may)).toEqual([]);
    expect(await writable('root')).toEqual(new Set(OPTION_KEYS));
  });

  it.each([
    ['at first', undefined],
    ['of no section', []],
    ...SECTIONS_TO_TICK.map((section) => [`of ${section}`, [section]] as const),
    ['of all sections', SECTIONS_TO_TICK],
  ] as const)('an administrator writes the options %s, and those only', async (_name, sections) => {
    if (sections !== undefined) await tick(sections);
    const ticked: readonly string[] = sections ?? SECTIONS_TICKED_AT_FIRST;
    const expected = OPTION_KEYS.filter((key) => {
      const { class: kind, section } = optionRow(key);
      return kind !== 'secret' && kind !== 'security' && ticked.includes(section);
    });
    expect(await writable('admin')).toEqual(new Set(expected));
    const told = (await listOf('admin')).filter(({ may_change: may }) => may);
    expect(told.map(({ key }) => key)).toEqual(expected);
  });

  it('keeps secrets, payments, sign-in methods and the installation for root, whatever is granted', () => {
    const all = { AdministratorSections: ['accounts', 'payments', 'installation', ...SECTIONS_TO_TICK] };
    const kept = OPTION_KEYS.filter((key) => !mayChangeOption(ROLES.admin, key, all));
    expect(kept).toEqual(OPTION_KEYS.filter(isForRootAlone));
    for (const key of OPTION_KEYS)
      if (isSecret(key) || !isSectionToTick(optionRow(key).section)) expect(kept).toContain(key);
    // Options that could redirect mails, logins or money.
    for (const key of [
      'ServerAddress',
      'SMTPServer',
      'oidc.token_endpoint',
      'PayAddress',
      'Price',
      'AdministratorSections',
    ])
      expect(kept).toContain(key);
    expect(() => OPTION_CATALOGUE.AdministratorSections.parse('payments')).toThrow();
  });

  it('shows administrators every value but secrets and addresses that grant access by themselves', async () => {
    const url = 'https://hooks.example/canary-of-the-address';
    await clients.root.expectSuccess('PUT', '/api/option/', [
      { key: 'AlertWebhookUrl', value: url },
      { key: 'AlertWebhookSecret', value: 'canary-of-the-secret' },
    ]);
    const [forRoot, forAdmin] = [await listOf('root'), await listOf('admin')];
    const differing = forRoot.filter(
      ({ key, value }) => forAdmin.find((line) => line.key === key)?.value !== value,
    );
    expect(differing.map(({ key }) => key)).toEqual(['AlertWebhookUrl']);
    expect(forAdmin.find(({ key }) => key === 'AlertWebhookUrl')).toMatchObject({ value: '', is_set: true });
    const history = await clients.admin.get('/api/option/history');
    expect(history.body.data).not.toEqual([]);
    expect(JSON.stringify([forAdmin, history.body])).not.toContain('canary-of');
    await clients.root.expectSuccess('PUT', '/api/option/', [
      { key: 'AlertWebhookUrl', value: '' },
      { key: 'AlertWebhookSecret', value: null },
    ]);
  });

  it('refuses a change whole when one of its keys is not the administrator’s, by every route that stores options', async () => {
    await tick(['content']);
    const notice = { key: 'Notice', value: 'half of a change' };
    const before = await app.dataSource.getRepository(OptionEntity).find();
    const [first] = await clients.admin.expectSuccess<{ revision: number; version_id: number }[]>(
      'GET',
      '/api/option/history?key=AdministratorSections',
    );
    const attempts: [string, string, unknown][] = [
      ['PUT', '/api/option/', [notice, { key: 'RetryTimes', value: 3 }]],
      ['PUT', '/api/option/', { changes: [{ key: 'RetryTimes', value: 3 }, notice], note: 'x' }],
      ['POST', '/api/option/rest_model_ratio', undefined],
      ['POST', '/api/option/rollback', { revision: first?.revision, to: 'before' }],
      ['POST', '/api/option/rollback_version', { version_id: first?.version_id }],
      ['POST', '/api/pricing/sync/diff', { document: '{}', url: '', providers: [] }],
      [
        'POST',
        '/api/pricing/sync/apply',
        { items: [{ model: 'm', entries: [{ key: 'ModelRatio', listed: 1 }] }] },
      ],
    ];
    for (const [method, path, body] of attempts) {
      const reply = await clients.admin.send(method, path, body);
      expect([path, reply.status, reply.body.code]).toEqual([path, 200, 'not_permitted']);
    }
    expect(await app.dataSource.getRepository(OptionEntity).find()).toEqual(before);
  });

  it('records what an administrator changed under the administrator’s name and role', async () => {
    await tick(['content']);
    await clients.admin.expectSuccess('PUT', '/api/option/', { key: 'Notice', value: 'from the warden' });
    const [event] = await app.dataSource
      .getRepository(AuditEventEntity)
      .find({ where: { action: 'option.change' }, order: { sequence: 'DESC' }, take: 1 });
    expect(event).toMatchObject({ actorId: clients.admin.userId, actorRole: 10, targetId: 'Notice' });
    const [change] = await clients.root.expectSuccess<Record<string, unknown>[]>(
      'GET',
      '/api/option/history',
    );
    expect(change).toMatchObject({ key: 'Notice', new_value: 'from the warden', actor: 'warden' });
  });
});

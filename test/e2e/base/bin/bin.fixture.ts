import { AuditEventEntity } from '../../../../server/base/audit/audit-event.entity.js';
import type { BinItem } from '../../../../server/base/bin/bin-view.js';
import { checkMoney } from '../../../../server/base/billing/checks/check-money.js';
import { TokenEntity } from '../../../../server/gateway/tokens/token.entity.js';
import type { ApiClient, ApiReply } from '../../../support/api-client.ts';
import { setUpRoot, signUp, startTestApp, type TestApp } from '../../../support/build-test-app.ts';
import { createTestDatabase, type DATABASE_KINDS } from '../../../support/database.ts';
import { FakeUpstream } from '../../../support/fake-upstream.ts';
import { ShiftedClock } from '../../../support/shifted-clock.ts';

export interface Token {
  readonly id: number;
  readonly key: string;
  readonly remain_quota: number;
  readonly used_quota: number;
  readonly status: number;
}

export type Section = 'channel' | 'token' | 'user' | 'redemption';

/** A gateway with a channel, root, an administrator and two users; the clock leaps as a test asks. */
export class BinFixture {
  private constructor(
    readonly app: TestApp,
    readonly clock: ShiftedClock,
    readonly upstream: FakeUpstream,
    readonly people: Readonly<Record<'root' | 'admin' | 'ann' | 'bob', ApiClient>>,
    private readonly dropDatabase: () => Promise<void>,
  ) {}

  static async start(kind: (typeof DATABASE_KINDS)[number]): Promise<BinFixture> {
    const clock = new ShiftedClock();
    const database = await createTestDatabase(kind);
    const upstream = await FakeUpstream.start();
    const app = await startTestApp({ env: { DATABASE_URL: database.url }, clock });
    const root = await setUpRoot(app);
    await root.expectSuccess('PUT', '/api/option/', { key: 'ModelRatio', value: '{"fx-std":1,"fx-json":1}' });
    const admin = await signUp(root, { username: 'warden', role: 'admin' });
    const ann = await signUp(root, { username: 'ann' });
    const bob = await signUp(root, { username: 'bob' });
    const fixture = new BinFixture(app, clock, upstream, { root, admin, ann, bob }, () => database.drop());
    await fixture.addChannel(root, 'always', 'fx-std');
    await fixture.give(ann.userId, 1_000_000);
    return fixture;
  }

  /** @returns faults of the books before the end */
  async close(): Promise<unknown[]> {
    const faults = await checkMoney(this.app.dataSource);
    await this.app.close();
    await this.upstream.close();
    await this.dropDatabase();
    return faults;
  }

  give(id: number, value: number): Promise<unknown> {
    const wish = { id, action: 'add_quota', mode: 'add', value };
    return this.people.root.expectSuccess('POST', '/api/user/manage', wish);
  }

  async addChannel(client: ApiClient, name: string, models: string): Promise<number> {
    const channel = { type: 1, name, key: 'sk-up', models, base_url: this.upstream.url };
    const { ids } = await client.expectSuccess<{ ids: number[] }>('POST', '/api/channel/', channel);
    return ids[0] ?? 0;
  }

  addToken(client: ApiClient, wish: Record<string, unknown> = {}): Promise<Token> {
    return client.expectSuccess('POST', '/api/token/', { name: 'laptop', remain_quota: 50_000, ...wish });
  }

  ownToken(client: ApiClient, id: number): Promise<Token> {
    return client.expectSuccess<Token>('GET', `/api/token/${id}`);
  }

  async addCode(wish: Record<string, unknown> = {}): Promise<{ id: number; key: string }> {
    const { admin } = this.people;
    await admin.expectSuccess('POST', '/api/redemption/', { name: 'gift', quota: 700, count: 1, ...wish });
    const { items } = await admin.expectSuccess<{ items: { id: number; key: string }[] }>(
      'GET',
      '/api/redemption/',
    );
    return items[0] as { id: number; key: string };
  }

  call({ key }: Token): Promise<Response> {
    return fetch(`${this.app.url}/v1/chat/completions`, {
      method: 'POST',
      headers: { authorization: `Bearer sk-${key}`, 'content-type': 'application/json' },
      body: JSON.stringify({ model: 'fx-std', messages: [{ role: 'user', content: 'hello' }] }),
    });
  }

  async statusOf(token: Token): Promise<number> {
    const response = await this.call(token);
    await response.text();
    return response.status;
  }

  undo(client: ApiClient, section: Exclude<Section, 'user'>, ...ids: number[]): Promise<ApiReply> {
    return client.post(`/api/${section}/restore`, { ids });
  }

  inBin(client: ApiClient, act: 'restore' | 'wipe', section: Section, ...ids: number[]): Promise<ApiReply> {
    return client.post(`/api/bin/${section}/${act}`, { ids });
  }

  async listed(section: Section, id: number, root = this.people.root): Promise<BinItem | undefined> {
    const page = await root.expectSuccess<{ items: BinItem[] }>('GET', `/api/bin/${section}?page_size=100`);
    return page.items.find((item) => item.id === id);
  }

  /** Acts of the audit log on one row, oldest first. */
  async actsOn(targetType: string, id: number): Promise<string[]> {
    const rows = await this.app.dataSource.getRepository(AuditEventEntity).find({
      where: { targetType, targetId: String(id) },
      order: { sequence: 'ASC' },
    });
    return rows.map(({ action, actorId }) => `${action} by ${actorId}`);
  }

  async sealedKeyOf(tokenId: number): Promise<string> {
    const row = await this.app.dataSource
      .getRepository(TokenEntity)
      .findOneOrFail({ where: { id: tokenId }, select: { id: true, keyEncrypted: true } });
    return row.keyEncrypted;
  }
}

import { randomUUID } from 'node:crypto';
import { DrawingEntity } from '../../../../server/gateway/tasks/drawing.entity.js';
import { TaskKinds } from '../../../../server/gateway/tasks/task-kinds.js';
import { TaskPoller } from '../../../../server/gateway/tasks/task-poller.js';
import { TaskEntity } from '../../../../server/gateway/tasks/task.entity.js';
import { ApiClient } from '../../../support/api-client.ts';
import { setUpRoot, signUp, startTestApp, type TestApp } from '../../../support/build-test-app.ts';
import { createTestDatabase, type DatabaseKind, type TestDatabase } from '../../../support/database.ts';
import { RelayClient, type RelayAsk } from '../../../support/relay-client.ts';
import { ShiftedClock } from '../../../support/shifted-clock.ts';
import { until } from '../../../support/until.ts';
import { ScriptedVendor } from './scripted-vendor.ts';

export const MIDJOURNEY = 2;
export const SUNO = 36;
/** Quota of a drawing and of a song, at 500,000 a dollar. */
export const IMAGINE_QUOTA = 50_000;
export const MUSIC_QUOTA = 100_000;

/** An application with a midjourney-proxy and a Suno-API whose words a test says. Nothing polls by itself. */
export class TasksFixture {
  drawingChannel = 0;
  songChannel = 0;
  private names = 0;

  private constructor(
    readonly app: TestApp,
    readonly root: ApiClient,
    readonly clock: ShiftedClock,
    readonly drawer: ScriptedVendor,
    readonly singer: ScriptedVendor,
    private readonly database: TestDatabase,
  ) {}

  static async open(kind: DatabaseKind = 'sqlite'): Promise<TasksFixture> {
    const database = await createTestDatabase(kind);
    const clock = new ShiftedClock();
    const env = { DATABASE_URL: database.url, ALLOWED_PRIVATE_HOSTS: '127.0.0.1', UPDATE_TASK: 'false' };
    const app = await startTestApp({ env, clock });
    const root = await setUpRoot(app);
    const [drawer, singer] = await Promise.all([ScriptedVendor.start(), ScriptedVendor.start()]);
    const fixture = new TasksFixture(app, root, clock, drawer, singer, database);
    const prices = JSON.stringify({ mj_imagine: 0.1, mj_upscale: 0, suno_music: 0.2 });
    await fixture.set({ ModelPrice: prices, ServerAddress: 'https://gate.example' });
    fixture.drawingChannel = await fixture.channel(MIDJOURNEY, drawer.url, 'mj_imagine,mj_upscale');
    fixture.songChannel = await fixture.channel(SUNO, singer.url, 'suno_music');
    return fixture;
  }

  async close(): Promise<void> {
    await this.app.close();
    await Promise.all([this.drawer.close(), this.singer.close()]);
    await this.database.drop();
  }

  async set(options: Readonly<Record<string, unknown>>): Promise<void> {
    for (const [key, value] of Object.entries(options))
      await this.root.expectSuccess('PUT', '/api/option/', { key, value });
  }

  async channel(type: number, url: string, models: string): Promise<number> {
    this.names += 1;
    const { ids } = await this.root.expectSuccess<{ ids: number[] }>('POST', '/api/channel/', {
      type,
      name: `channel ${this.names}`,
      key: `key-of-${this.names}`,
      base_url: url,
      models,
      group: 'default',
    });
    return ids[0] ?? 0;
  }

  /** An account with money. */
  async person(): Promise<ApiClient> {
    this.names += 1;
    const client = await signUp(this.root, { username: `person${this.names}` });
    await this.root.expectSuccess('POST', '/api/user/manage', {
      id: client.userId,
      action: 'add_quota',
      mode: 'add',
      value: 10_000_000,
    });
    return client;
  }

  /** @param remain  what the token may spend; absent = no limit */
  async key(
    owner: ApiClient,
    remain?: number,
  ): Promise<{ readonly id: number; readonly relay: RelayClient }> {
    this.names += 1;
    const name = `token ${this.names}`;
    await owner.expectSuccess('POST', '/api/token/', {
      name,
      expired_time: -1,
      remain_quota: remain ?? 0,
      unlimited_quota: remain === undefined,
    });
    const list = await owner.expectSuccess<{ id: number; name: string; key: string }[]>(
      'GET',
      '/api/token/?p=0&size=100',
    );
    const token = list.find((one) => one.name === name);
    if (token === undefined) throw new Error('no token was made');
    return { id: token.id, relay: new RelayClient(this.app.url, `sk-${token.key}`) };
  }

  /** A record as the booking makes it, with nothing charged. */
  async drawing(row: Partial<DrawingEntity>): Promise<DrawingEntity> {
    return this.app.dataSource.getRepository(DrawingEntity).save({
      requestId: randomUUID(),
      userId: 1,
      channelId: this.drawingChannel,
      code: 1,
      action: 'IMAGINE',
      prompt: 'a cat',
      promptEn: '',
      description: '',
      state: '',
      submitTime: this.clock.nowMs(),
      imageUrl: '',
      videoUrls: '',
      status: 'SUBMITTED',
      progress: '0%',
      failReason: '',
      buttons: '',
      properties: '',
      mjId: `mj-${randomUUID()}`,
      ...row,
    });
  }

  async song(row: Partial<TaskEntity>): Promise<TaskEntity> {
    const nowSeconds = Math.floor(this.clock.nowMs() / 1000);
    return this.app.dataSource.getRepository(TaskEntity).save({
      requestId: randomUUID(),
      userId: 1,
      channelId: this.songChannel,
      platform: 'suno',
      action: 'MUSIC',
      status: 'SUBMITTED',
      progress: '0%',
      failReason: '',
      data: '',
      properties: '{"input":"a song"}',
      submitTime: nowSeconds,
      taskId: `song-${randomUUID()}`,
      ...row,
    });
  }

  drawingOf(mjId: string): Promise<DrawingEntity | null> {
    return this.app.dataSource.getRepository(DrawingEntity).findOneBy({ mjId });
  }

  songOf(taskId: string): Promise<TaskEntity | null> {
    return this.app.dataSource.getRepository(TaskEntity).findOneBy({ taskId });
  }

  /** Submits a drawing over the relay and waits for its record. */
  async submit(relay: RelayClient, mjId: string): Promise<DrawingEntity> {
    this.drawer.says({ code: 1, description: 'ok', result: mjId, properties: {} });
    const answer = await relay.ask({ path: '/mj/submit/imagine', body: { prompt: 'a cat' } });
    if (answer.status !== 200) throw new Error(`not taken on: ${answer.status} ${answer.text}`);
    await until(async () => (await this.drawingOf(mjId)) !== null);
    return (await this.drawingOf(mjId)) as DrawingEntity;
  }

  async poll(): Promise<void> {
    const poller = this.app.app.get(TaskPoller, { strict: false });
    const kinds = this.app.app.get(TaskKinds, { strict: false });
    await poller.poll(kinds.drawings);
    await poller.poll(kinds.tasks);
  }

  balanceOf(client: ApiClient): Promise<number> {
    return client.expectSuccess<{ quota: number }>('GET', '/api/user/self').then(({ quota }) => quota);
  }

  async ask(relay: RelayClient, ask: RelayAsk): Promise<{ status: number; body: Record<string, unknown> }> {
    const { status, text } = await relay.ask(ask);
    return { status, body: JSON.parse(text) as Record<string, unknown> };
  }
}

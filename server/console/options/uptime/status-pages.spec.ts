import { beforeEach, describe, expect, it } from '@jest/globals';
import { FakeClock } from '../../../../test/support/fake-clock.ts';
import { fail, ok } from '../../../common/result.js';
import type { OutboundClient } from '../../../infra/http-client/outbound-client.js';
import { MemorySharedStore } from '../../../infra/shared-store/memory-shared-store.js';
import type { OptionsService } from '../../../base/options/options.service.js';
import { StatusPages } from './status-pages.js';

const PAGE = { categoryName: 'Models', url: 'https://kuma.example', slug: 'models', description: '' };
const MONITOR = { name: 'gpt', group: 'Chat', status: 1, uptime: 0.5 };

let clock: FakeClock;
let store: MemorySharedStore;
let asked: string[];
let isDead: boolean;

const outbound = {
  fetch: (_caller: string, { url }: { url: string }) => {
    asked.push(url);
    if (isDead) return Promise.resolve(fail({ kind: 'timeout' }));
    const document = url.includes('heartbeat')
      ? { heartbeatList: { '1': [{ status: 1 }] }, uptimeList: { '1_24': 0.5 } }
      : { publicGroupList: [{ name: 'Chat', monitorList: [{ id: 1, name: 'gpt' }] }] };
    return Promise.resolve(ok({ status: 200, headers: {}, body: Buffer.from(JSON.stringify(document)) }));
  },
} as unknown as OutboundClient;

function instance(pages = [PAGE]): StatusPages {
  const options = {
    values: () => ({
      'console_setting.uptime_kuma_enabled': true,
      'console_setting.uptime_kuma_groups': pages,
    }),
  } as unknown as OptionsService;
  return new StatusPages(options, outbound, store, clock);
}

beforeEach(() => {
  clock = new FakeClock();
  store = new MemorySharedStore(clock, 'memory:test');
  asked = [];
  isDead = false;
});

describe('status pages of the dashboard', () => {
  it('reads them once for concurrent requests, and again after a minute', async () => {
    const pages = instance();
    const [first, second] = await Promise.all([pages.list(), pages.list()]);
    expect(first).toEqual([
      { categoryName: 'Models', description: '', reachable: true, monitors: [MONITOR] },
    ]);
    expect(second).toEqual(first);
    expect(asked.toSorted()).toEqual([
      'https://kuma.example/api/status-page/heartbeat/models',
      'https://kuma.example/api/status-page/models',
    ]);
    clock.advance(59_000);
    await pages.list();
    expect(asked).toHaveLength(2);
    clock.advance(2_000);
    await pages.list();
    expect(asked).toHaveLength(4);
  });

  it('reads them by one instance for all that share a store', async () => {
    const first = await instance().list();
    expect(await instance().list()).toEqual(first);
    expect(asked).toHaveLength(2);
  });

  it('shows them as they were while another instance reads them anew', async () => {
    const first = await instance().list();
    clock.advance(61_000);
    store.leases.acquire = () => Promise.resolve(null);
    expect(await instance().list()).toEqual(first);
    expect(asked).toHaveLength(2);
  });

  it('reports unreadable pages, and does not read them again within the minute', async () => {
    isDead = true;
    const pages = instance();
    const dead = [{ categoryName: 'Models', description: '', reachable: false, monitors: [] }];
    expect(await pages.list()).toEqual(dead);
    isDead = false;
    expect(await pages.list()).toEqual(dead);
    expect(asked).toHaveLength(2);
    clock.advance(61_000);
    expect(await pages.list()).toMatchObject([{ reachable: true, monitors: [MONITOR] }]);
  });

  it('reads them without a shared store too', async () => {
    store.cache.get = () => Promise.reject(new Error('away'));
    store.cache.set = () => Promise.reject(new Error('away'));
    store.leases.acquire = () => Promise.reject(new Error('away'));
    const pages = instance();
    expect(await pages.list()).toMatchObject([{ reachable: true }]);
    await pages.list();
    expect(asked).toHaveLength(2);
  });
});

import { describe, expect, it } from '@jest/globals';
import { codeOf } from '../../../test/support/code-of.js';
import type { OutboundClient } from '../../infra/http-client/outbound-client.js';
import { OPTION_FALLBACKS } from '../../base/options/option-catalogue.js';
import type { OptionActor, OptionInput, OptionsService } from '../../base/options/options.service.js';
import type { PriceSyncApply } from './dto/price-sync.dto.js';
import { PriceSyncService } from './price-sync.service.js';

const LITELLM = JSON.stringify({
  'gpt-x': {
    litellm_provider: 'openai',
    mode: 'chat',
    input_cost_per_token: 0.000002,
    output_cost_per_token: 0.000004,
  },
});

function sync(reply: unknown = { ok: true, value: { status: 200, body: Buffer.from(LITELLM) } }) {
  const stored: OptionInput[][] = [];
  const fetched: string[] = [];
  const service = new PriceSyncService(
    {
      values: () => ({ ...OPTION_FALLBACKS, ModelRatio: { kept: 1, gone: 2 } }),
      update: async (_actor: OptionActor, changes: OptionInput[]) => {
        stored.push(changes);
        return changes.map(({ key }) => key);
      },
    } as unknown as OptionsService,
    {
      fetch: async (caller: string, { url }: { url: string }) => {
        fetched.push(`${caller} ${url}`);
        return reply;
      },
    } as unknown as OutboundClient,
  );
  const compare = (changes: { document?: string; url?: string }) =>
    service.compare({ document: '', url: '', providers: [], ...changes });
  const apply = (items: unknown) =>
    service.apply({} as OptionActor, { items, note: '' } as unknown as PriceSyncApply);
  return { service, stored, fetched, compare, apply };
}

describe('PriceSyncService', () => {
  it('shows what a list would change, and stores nothing', async () => {
    const { stored, compare } = sync();
    const { format, counts, items } = await compare({ document: LITELLM });
    expect([format, counts.added, items[0]?.model]).toEqual(['litellm', 1, 'gpt-x']);
    expect(stored).toEqual([]);
  });

  it('fetches a list as a service of the settings', async () => {
    const { fetched, compare } = sync();
    await compare({ url: 'https://prices.test/list.json' });
    expect(fetched).toEqual(['service https://prices.test/list.json']);
  });

  it.each([
    ['', 'price_list_missing'],
    ['http://prices.test', 'price_list_address'],
    ['https://user@prices.test', 'price_list_address'],
    ['https://:secret@prices.test', 'price_list_address'],
    ['prices', 'price_list_address'],
  ])('fetches nothing from %j: %s', async (url, code) => {
    const { fetched, compare } = sync();
    expect(await codeOf(compare({ url }))).toBe(code);
    expect(fetched).toEqual([]);
  });

  it.each([
    [
      'an answer of 404',
      { ok: true, value: { status: 404, body: Buffer.from('') } },
      'price_list_unreachable',
    ],
    ['no answer', { ok: false, error: { kind: 'timeout' } }, 'price_list_unreachable'],
    ['a page', { ok: true, value: { status: 200, body: Buffer.from('<html>') } }, 'price_list_unreadable'],
  ])('refuses %s', async (_, reply, code) => {
    expect(await codeOf(sync(reply).compare({ url: 'https://prices.test' }))).toBe(code);
  });

  it('stores the selection beside the current prices, in one version', async () => {
    const { stored, apply } = sync();
    await apply([
      { model: 'gpt-x', entries: [{ key: 'ModelRatio', listed: 3 }] },
      { model: 'gone', entries: [{ key: 'ModelRatio', listed: null }] },
      { model: 'gpt-x', entries: [{ key: 'ServiceTierRatio', listed: { flex: 0.5 } }] },
    ]);
    expect(stored).toHaveLength(1);
    const documents = Object.fromEntries(
      (stored[0] ?? []).map(({ key, value }) => [key, JSON.parse(String(value)) as Record<string, number>]),
    );
    expect(documents['ModelRatio']).toEqual({ kept: 1, 'gpt-x': 3 });
    expect(Object.values(documents['ServiceTierRatio'] ?? {})).toContain(0.5);
  });

  it('stores nothing of a list with a name no model can have', async () => {
    const { stored, apply } = sync();
    expect(await codeOf(apply([{ model: '__proto__', entries: [{ key: 'ModelRatio', listed: 3 }] }]))).toBe(
      'price_list_name',
    );
    expect(await codeOf(apply([{ model: 'm', entries: [{ key: 'ServiceTierRatio', listed: 3 }] }]))).toBe(
      'option_invalid',
    );
    expect(stored).toEqual([]);
  });
});

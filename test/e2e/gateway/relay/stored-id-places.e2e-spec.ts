import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { scanObject } from '../../../../server/relay-core/framing/json-splice.js';
import type { VendorAccount } from '../../../../server/relay-core/ports/channel-picker.js';
import { storedIdsIn } from '../../../../server/relay-core/pipeline/reply/stored-ids.js';
import { StoredIdLedger } from '../../../../server/gateway/relay/stored-ids/stored-id-ledger.js';
import { CASES, type Field } from './stored-id-fields.ts';
import {
  type Api,
  CHANNEL_TYPES,
  idsOf,
  MODELS,
  type Reply,
  StoredIdsFixture,
  Vendor,
} from './stored-ids.fixture.ts';

/** Two vendors serve every model. A request for an object kept at the second one goes to it, and to no other. */
const FORMATS: Readonly<Record<Api, string>> = {
  responses: 'openai-responses',
  chat: 'openai-chat',
  messages: 'anthropic-messages',
  gemini: 'gemini-generate',
};
const MODEL_OF: Readonly<Record<Api, string>> = {
  responses: MODELS.openai,
  chat: MODELS.openai,
  messages: MODELS.anthropic,
  gemini: MODELS.gemini,
};

interface Listed {
  readonly id: number;
  readonly name: string;
}

let fixture: StoredIdsFixture;
let keeper: Vendor;
let other: Vendor;
let keepers: readonly Listed[];
let others: readonly Listed[];
let serial = 0;

beforeAll(async () => {
  fixture = await StoredIdsFixture.open();
  keeper = fixture.vendor;
  other = await Vendor.start(100_000);
  for (const [models, type] of CHANNEL_TYPES)
    await fixture.root.expectSuccess('POST', '/api/channel/', {
      name: `other ${models}`,
      type,
      key: 'k',
      base_url: other.url,
      models,
      group: 'default',
      priority: 10,
    });
  await fixture.root.expectSuccess('PUT', '/api/option/', { key: 'RetryTimes', value: '4' });
  const items = await fixture.root.expectSuccess<Listed[]>('GET', '/api/channel/?p=0&page_size=10');
  others = items.filter(({ name }) => name.startsWith('other '));
  keepers = items.filter(({ name }) => !name.startsWith('other '));
});
afterAll(async () => {
  await fixture.close();
  await other.close();
});
beforeEach(() => {
  keeper.refusesWith = undefined;
  keeper.asked = 0;
  other.asked = 0;
});

const change = async (channels: readonly Listed[], members: (one: Listed) => object): Promise<void> => {
  for (const one of channels)
    await fixture.root.expectSuccess('PUT', '/api/channel/', { id: one.id, ...members(one) });
};

/** Writes down that all a request names was handed out to Alice by the keeper. @returns its members */
async function kept({ api, members }: Field): Promise<Readonly<Record<string, unknown>>> {
  serial += 1;
  const named = members(`kept_${serial}`);
  const document = scanObject(Buffer.from(JSON.stringify(named)));
  if (typeof document === 'string') throw new Error(document);
  const ids = storedIdsIn(document, FORMATS[api]).map(({ id }) => id);
  expect(ids).toHaveLength(1);
  const [model, channelType] = CHANNEL_TYPES.find(([name]) => name === MODEL_OF[api]) as [string, number];
  const channelId = keepers.find(({ name }) => name === model)?.id as number;
  const account: VendorAccount = { channelId, channelType, baseUrl: keeper.url, credential: 'k' };
  await fixture.app.app
    .get(StoredIdLedger, { strict: false })
    .record(fixture.alice.client.userId, ids, account);
  return named;
}

const asked = (): readonly [keeper: number, other: number] => [keeper.asked, other.asked];

describe('a call that names nothing', () => {
  it.each(Object.keys(FORMATS) as Api[])('%s goes to the channel that comes first', async (api) => {
    expect((await fixture.call(fixture.alice, api, {}, false)).status).toBe(200);
    expect(asked()).toEqual([0, 1]);
  });
});

describe.each(CASES)('$api: $name, $form', (field) => {
  const call = async (members: Readonly<Record<string, unknown>>): Promise<Reply> =>
    fixture.call(fixture.alice, field.api, members, field.stream);

  it('routes a request to the place of its object', async () => {
    const { status, text } = await call(await kept(field));
    expect([status, text]).toEqual([200, expect.stringContaining('hello')]);
    expect(asked()).toEqual([1, 0]);
  });

  it('tries again only there, and not at all when that one rests', async () => {
    keeper.refusesWith = 500;
    const { status, text } = await call(await kept(field));
    expect(status).toBeGreaterThanOrEqual(500);
    expect(text).not.toMatch(/not found/);
    expect(other.asked).toBe(0);
    expect([1, 2]).toContain(keeper.asked);
  });
});

describe('where the channel is off', () => {
  beforeAll(() => change(keepers, () => ({ status: 2 })));
  afterAll(() => change(keepers, () => ({ status: 1 })));

  it.each(CASES)('$api: $name, $form, is answered with 503 without a request to a vendor', async (field) => {
    const { status, error } = await fixture.call(fixture.alice, field.api, await kept(field), field.stream);
    expect([status, error['message']]).toEqual([
      503,
      expect.stringMatching(/is kept at an upstream that is not available/),
    ]);
    expect(asked()).toEqual([0, 0]);
  });

  it.each(CASES)('$api: $name, $form, goes to a channel the operator allows it for', async (field) => {
    await change(others, () => ({ settings: '{"allow_foreign_ids":true}' }));
    try {
      const { status } = await fixture.call(fixture.alice, field.api, await kept(field), field.stream);
      expect([status, ...asked()]).toEqual([200, 0, 1]);
    } finally {
      await change(others, () => ({ settings: '{}' }));
    }
  });
});

describe('where the channel serves the model no more', () => {
  beforeAll(() => change(keepers, () => ({ models: 'another' })));
  afterAll(() => change(keepers, ({ name }) => ({ models: name })));

  it.each(CASES)(
    '$api: $name, $form, is not found, with the reason, without a request to a vendor',
    async (field) => {
      const { status, error } = await fixture.call(fixture.alice, field.api, await kept(field), field.stream);
      expect([status, error['message']]).toEqual([
        error['code'] === 'previous_response_not_found' ? 400 : 404,
        expect.stringMatching(/not found where this request goes: it is kept with another upstream account/),
      ]);
      expect(asked()).toEqual([0, 0]);
    },
  );
});

describe('what an answer brings is kept where it came from', () => {
  const brought = CASES.filter(({ from }) => from !== undefined);

  it.each(brought)('$api: $name, $form', async ({ api, from, members, stream }) => {
    await change(others, () => ({ status: 2 }));
    expect((await fixture.call(fixture.alice, api, {}, stream)).status).toBe(200);
    const ids = idsOf(keeper.answers);
    await change(others, () => ({ status: 1 }));
    expect((await fixture.call(fixture.alice, api, {}, stream)).status).toBe(200);
    expect(asked()).toEqual([1, 1]);
    expect(
      (await fixture.call(fixture.alice, api, members(ids[from as keyof typeof ids]), stream)).status,
    ).toBe(200);
    expect(asked()).toEqual([2, 1]);
  });

  it('a request that names what two vendors keep is not found by either', async () => {
    await change(others, () => ({ status: 2 }));
    await fixture.call(fixture.alice, 'responses', {}, false);
    const here = idsOf(keeper.answers);
    await change(others, () => ({ status: 1 }));
    await fixture.call(fixture.alice, 'responses', {}, false);
    const there = idsOf(100_000 + other.answers);
    const before = asked();
    const { status, error } = await fixture.call(
      fixture.alice,
      'responses',
      {
        previous_response_id: here.response,
        input: [
          { type: 'item_reference', id: there.item },
          { role: 'user', content: 'x' },
        ],
      },
      false,
    );
    expect([status, error['message']]).toEqual([400, expect.stringMatching(/another upstream account/)]);
    expect(asked()).toEqual(before);
  });
});

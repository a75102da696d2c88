import { describe, expect, it } from '@jest/globals';
import { scanObject } from '../../../relay-core/framing/json-splice.js';
import type { Conversation } from '../../../relay-core/ports/channel-affinity.js';
import type { Json } from '../../../infra/shared-store/shared-store.js';
import { StoredChannelAffinity } from './channel-affinity.service.js';
import { affinityRules } from '../../../base/options/affinity-rules.js';
import { OPTION_FALLBACKS, type OptionValues } from '../../../base/options/option-catalogue.js';

type Dependencies = ConstructorParameters<typeof StoredChannelAffinity>;

class Shared {
  readonly entries = new Map<string, { value: Json; ttlMs: number }>();
  isAway = false;
  writes = 0;
  get = async (key: string): Promise<Json | undefined> => {
    if (this.isAway) throw new Error('away');
    return this.entries.get(key)?.value;
  };
  set = async (key: string, value: Json, ttlMs: number): Promise<void> => {
    this.writes += 1;
    this.entries.set(key, { value, ttlMs });
  };
}

/** One instance of the gateway over a shared store. */
function instance(
  shared: Shared,
  rules: unknown,
  more: Partial<OptionValues> = {},
  enabledChannels = [1, 2],
) {
  const clock = { now: 1_000_000, nowMs: () => clock.now };
  const values = {
    ...OPTION_FALLBACKS,
    'channel_affinity_setting.rules': affinityRules.parse(rules),
    ...more,
  };
  const options = { values: () => values, onChange: () => () => undefined };
  const snapshots = {
    current: () => ({ channel: (id: number) => (enabledChannels.includes(id) ? { id } : undefined) }),
  };
  // Only what the service uses of them.
  const service = new StoredChannelAffinity(
    options as unknown as Dependencies[0],
    { cache: shared } as unknown as Dependencies[1],
    snapshots as unknown as Dependencies[2],
    clock as unknown as Dependencies[3],
  );
  const find = async (ask: {
    body?: unknown;
    headers?: Record<string, string>;
    model?: string;
    path?: string;
    userId?: number;
    group?: string;
  }): Promise<Conversation | undefined> => {
    const document = scanObject(Buffer.from(JSON.stringify(ask.body ?? {})));
    if (typeof document === 'string') throw new Error(document);
    return service.find({
      call: { headers: ask.headers ?? {}, path: ask.path ?? '/v1/chat/completions' },
      caller: {
        userId: ask.userId ?? 1,
        group: ask.group ?? 'default',
        tokenId: 5,
        tokenName: 't',
        username: 'u',
      },
      model: ask.model ?? 'm',
      document,
    } as unknown as Parameters<typeof service.find>[0]);
  };
  const turn = async (ask: Parameters<typeof find>[0], channelId: number): Promise<void> => {
    const conversation = await find(ask);
    if (conversation === undefined) throw new Error('no conversation');
    service.recordSuccess(conversation, channelId);
  };
  return { service, find, turn, clock };
}

const BY_HEADER = [{ name: 'h', key_sources: [{ type: 'request_header', key: 'X-Session' }] }];
const ask = (session: string) => ({ headers: { 'x-session': session } });

describe('channel affinity', () => {
  it('remembers the channel of a conversation, for its time, counted from the last call', async () => {
    const { find, turn, clock } = instance(new Shared(), BY_HEADER, {
      'channel_affinity_setting.default_ttl_seconds': 60,
    });
    expect((await find(ask('a')))?.boundChannelId).toBeUndefined();
    await turn(ask('a'), 2);
    expect((await find(ask('a')))?.boundChannelId).toBe(2);
    expect((await find(ask('b')))?.boundChannelId).toBeUndefined();
    clock.now += 50_000;
    await turn(ask('a'), 2);
    clock.now += 50_000;
    expect((await find(ask('a')))?.boundChannelId).toBe(2);
  });

  it('calls without the value belong to no conversation', async () => {
    const { find } = instance(new Shared(), BY_HEADER);
    expect(await find({})).toBeUndefined();
    expect(await find(ask(''))).toBeUndefined();
    expect(await find(ask('x'.repeat(2_000)))).toBeUndefined();
  });

  it('shares the channel with another instance, which reads the store once', async () => {
    const shared = new Shared();
    const first = instance(shared, BY_HEADER);
    const second = instance(shared, BY_HEADER);
    await first.turn(ask('a'), 1);
    expect((await second.find(ask('a')))?.boundChannelId).toBe(1);
    expect([...shared.entries.keys()].join()).not.toContain('a,');
  });

  it('writes to the shared store again only after a quarter of the time', async () => {
    const shared = new Shared();
    const { turn, clock } = instance(shared, BY_HEADER, {
      'channel_affinity_setting.default_ttl_seconds': 100,
    });
    for (let call = 0; call < 5; call += 1) await turn(ask('a'), 1);
    expect(shared.writes).toBe(1);
    clock.now += 26_000;
    await turn(ask('a'), 1);
    expect(shared.writes).toBe(2);
  });

  it('works without the store', async () => {
    const shared = new Shared();
    shared.isAway = true;
    const { find, turn } = instance(shared, BY_HEADER);
    await turn(ask('a'), 1);
    expect((await find(ask('a')))?.boundChannelId).toBe(1);
    expect((await find(ask('b')))?.boundChannelId).toBeUndefined();
  });

  it('reads the body, the context, and keeps users and groups apart', async () => {
    const { find } = instance(new Shared(), [
      {
        name: 'b',
        model_regex: ['^claude-'],
        path_regex: ['^/v1/messages$'],
        user_agent_include: ['Agent'],
        key_sources: [
          { type: 'gjson', path: 'metadata.user_id' },
          { type: 'context_int', key: 'token_id' },
        ],
        value_regex: '^[a-z0-9]+$',
      },
    ]);
    const call = {
      model: 'claude-x',
      path: '/v1/messages',
      headers: { 'user-agent': 'my-agent/1' },
      body: { metadata: { user_id: 'abc' } },
    };
    const key = (await find(call))?.key;
    expect(key).toMatch(/^[\w-]{43}$/);
    expect((await find({ ...call, userId: 2 }))?.key).not.toBe(key);
    expect((await find({ ...call, group: 'vip' }))?.key).not.toBe(key);
    expect((await find({ ...call, body: {} }))?.key).not.toBe(key);
    expect(await find({ ...call, model: 'gpt' })).toBeUndefined();
    expect(await find({ ...call, path: '/v1/messages/count_tokens' })).toBeUndefined();
    expect(await find({ ...call, headers: {} })).toBeUndefined();
    expect((await find({ ...call, body: { metadata: { user_id: 'NOT' } } }))?.key).toBe(
      (await find({ ...call, body: {} }))?.key,
    );
  });

  it('moves on success only when the options allow it, or the channel is gone', async () => {
    const stay = { 'channel_affinity_setting.switch_on_success': false };
    const moved = instance(new Shared(), BY_HEADER);
    await moved.turn(ask('a'), 1);
    await moved.turn(ask('a'), 2);
    expect((await moved.find(ask('a')))?.boundChannelId).toBe(2);
    const stays = instance(new Shared(), BY_HEADER, stay);
    await stays.turn(ask('a'), 1);
    await stays.turn(ask('a'), 2);
    expect((await stays.find(ask('a')))?.boundChannelId).toBe(1);
    const gone = instance(new Shared(), BY_HEADER, stay, [2]);
    await gone.turn(ask('a'), 1);
    await gone.turn(ask('a'), 2);
    expect((await gone.find(ask('a')))?.boundChannelId).toBe(2);
    const kept = instance(
      new Shared(),
      BY_HEADER,
      { ...stay, 'channel_affinity_setting.keep_on_channel_disabled': true },
      [2],
    );
    await kept.turn(ask('a'), 1);
    await kept.turn(ask('a'), 2);
    expect((await kept.find(ask('a')))?.boundChannelId).toBe(1);
  });

  it('forgets the conversation that was quiet longest when there are too many', async () => {
    const shared = new Shared();
    const { find, turn } = instance(shared, BY_HEADER, { 'channel_affinity_setting.max_entries': 2 });
    for (const session of ['a', 'b', 'a', 'c']) await turn(ask(session), 1);
    shared.isAway = true;
    const known = await Promise.all(
      ['a', 'b', 'c'].map(async (session) => (await find(ask(session)))?.boundChannelId),
    );
    expect(known).toEqual([1, undefined, 1]);
  });

  it('the rules that come with the gateway know coding agents, and give no call up that another channel could save', async () => {
    const { find } = instance(new Shared(), OPTION_FALLBACKS['channel_affinity_setting.rules']);
    const responses = await find({ model: 'gpt-5', path: '/v1/responses', body: { prompt_cache_key: 's' } });
    const messages = await find({
      model: 'claude-opus-4',
      path: '/v1/messages',
      body: { metadata: { user_id: 'u' } },
    });
    expect([responses?.staysOnFailure, messages?.staysOnFailure]).toEqual([false, false]);
    expect(
      await find({ model: 'gpt-5', path: '/v1/chat/completions', body: { prompt_cache_key: 's' } }),
    ).toBeUndefined();
  });
});

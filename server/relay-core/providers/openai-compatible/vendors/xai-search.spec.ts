import { describe, expect, it } from '@jest/globals';
import { apiNamed, callCore } from '../../../../../test/support/core-calls.js';
import { MemoryPorts } from '../../../../../test/support/memory-ports.js';
import type { MemoryReply } from '../../../../../test/support/memory-sides.js';

interface Sent {
  readonly url: string;
  readonly body: Record<string, unknown>;
  readonly reply: MemoryReply;
}

/** A request of a client API as it reaches xAI. */
async function sentToXai(api: string, more: object, upstreamModel = 'grok-4'): Promise<Sent> {
  const { dialect, path, body } = apiNamed(api);
  const sent: { url: string; body: Record<string, unknown> }[] = [];
  const reply = await callCore(new MemoryPorts(), {
    dialect,
    path,
    body: { ...body(false), ...more },
    route: { channelType: 48, upstreamModel },
    script: (upstream) => {
      sent.push({ url: upstream.request.url, body: upstream.body });
      upstream.json(400, { error: { message: 'no' } });
    },
  });
  return { ...(sent[0] as Sent), reply };
}

const OLD = {
  mode: 'on',
  from_date: '2026-01-01',
  sources: [
    { type: 'web', excluded_websites: ['a.example'] },
    { type: 'x', included_x_handles: ['h'] },
  ],
};
const TOOLS = [
  { type: 'web_search', filters: { excluded_domains: ['a.example'] } },
  { type: 'x_search', allowed_x_handles: ['h'], from_date: '2026-01-01' },
];

describe('the old form of a search at xAI', () => {
  it.each(['chat', 'responses'])('becomes the tools of its Responses API (%s)', async (api) => {
    const { url, body } = await sentToXai(api, { search_parameters: OLD });
    expect(url).toMatch(/\/v1\/responses$/);
    expect(body['tools']).toEqual(TOOLS);
    expect(body).not.toHaveProperty('search_parameters');
  });

  it('becomes both tools where it names no sources, or the name of the model asks', async () => {
    const both = [{ type: 'web_search' }, { type: 'x_search' }];
    expect((await sentToXai('chat', { search_parameters: { mode: 'auto' } })).body['tools']).toEqual(both);
    const named = await sentToXai('chat', {}, 'grok-4-search');
    expect([named.body['model'], named.body['tools']]).toEqual(['grok-4', both]);
  });

  it('names what the tools cannot express', async () => {
    const search_parameters = { mode: 'on', max_search_results: 3 };
    const { body, reply } = await sentToXai('chat', { search_parameters });
    expect(JSON.stringify(body)).not.toContain('max_search_results');
    const answered = await callCore(new MemoryPorts(), {
      dialect: apiNamed('chat').dialect,
      path: '/v1/chat/completions',
      body: { ...apiNamed('chat').body(false), search_parameters },
      route: { channelType: 48, upstreamModel: 'grok-4' },
      script: (upstream) => {
        const content = [{ type: 'output_text', text: 'hi', annotations: [] }];
        const message = { type: 'message', id: 'm', status: 'completed', role: 'assistant', content };
        upstream.json(200, { id: 'resp_1', object: 'response', status: 'completed', output: [message] });
      },
    });
    expect(answered.headers['x-tollgate-warnings']).toContain('max_search_results');
    expect(reply.status).toBe(400);
  });

  it('asks for no search where the mode is off', async () => {
    const { body } = await sentToXai('chat', { search_parameters: { mode: 'off' } });
    expect(body).not.toHaveProperty('tools');
  });

  it('leaves chats without a search where they are', async () => {
    expect((await sentToXai('chat', {})).url).toMatch(/\/v1\/chat\/completions$/);
  });
});

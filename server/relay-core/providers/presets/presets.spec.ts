import { describe, expect, it } from '@jest/globals';
import { aRoute } from '../../../../test/support/memory-ports.js';
import { aProviderCall } from '../../../../test/support/relay-calls.js';
import { findOperation, mostItemsOf } from '../provider.js';
import { findProvider } from '../registry.js';
import { presetOf, PRESETS } from './presets.js';

const providerOf = (type: number) => {
  const provider = findProvider(type);
  if (!provider.ok) throw new Error(provider.error.message);
  return provider.value;
};

/** Address of a call of one API at the channel of a preset. */
function addressFor(preset: (typeof PRESETS)[number], clientFormat: string): string {
  const route = aRoute({
    channelType: preset.type,
    baseUrl: preset.baseUrl === '' ? preset.addressExample : preset.baseUrl,
    upstreamModel: 'm',
    settings: { vendor: { preset: preset.id, ...preset.paths } },
  });
  const call = aProviderCall({ route, clientFormat });
  const address = findOperation(providerOf(preset.type), 'chat', call)?.address(call);
  return address?.ok === true ? address.value : 'none';
}

const named = (id: string) => {
  const preset = PRESETS.find((each) => each.id === id);
  if (preset === undefined) throw new Error(id);
  return preset;
};

describe('presets', () => {
  it('gives each a name, an id, a mark and texts of its own', () => {
    for (const member of ['id', 'name', 'mark'] as const)
      expect(new Set(PRESETS.map((preset) => preset[member])).size).toBe(PRESETS.length);
    for (const { id, mark, description, source, baseUrl, addressExample } of PRESETS) {
      expect(id).toMatch(/^[a-z0-9-]{1,40}$/);
      expect(mark).toMatch(/^[A-Za-z]{1,2}$/);
      expect(description.zh).toMatch(/\p{Script=Han}/u);
      expect(description.en).toMatch(/\.$/);
      expect(source.page).toMatch(/^https:/);
      expect([baseUrl, addressExample].filter((address) => address !== '')).toHaveLength(1);
    }
  });

  it('gives no preset a key prefix that another one begins with', () => {
    const prefixes = PRESETS.flatMap(({ keyPrefix }) => keyPrefix ?? []);
    for (const prefix of prefixes)
      expect(prefixes.filter((each) => each.startsWith(prefix))).toEqual([prefix]);
  });

  it.each([
    ['together', 'https://api.together.xyz/v1/chat/completions'],
    ['fireworks', 'https://api.fireworks.ai/inference/v1/chat/completions'],
    ['cerebras', 'https://api.cerebras.ai/v1/chat/completions'],
    ['deepinfra', 'https://api.deepinfra.com/v1/openai/chat/completions'],
    ['huggingface', 'https://router.huggingface.co/v1/chat/completions'],
    ['baseten', 'https://inference.baseten.co/v1/chat/completions'],
    ['azure-ai', 'https://name.services.ai.azure.com/openai/v1/chat/completions'],
    ['bedrock-mantle', 'https://bedrock-mantle.us-east-1.api.aws/v1/chat/completions'],
    ['nvidia', 'https://integrate.api.nvidia.com/v1/chat/completions'],
    ['groq', 'https://api.groq.com/openai/v1/chat/completions'],
    ['openrouter', 'https://openrouter.ai/api/v1/chat/completions'],
    ['vercel', 'https://ai-gateway.vercel.sh/v1/chat/completions'],
    ['vllm', 'http://localhost:8000/v1/chat/completions'],
    ['lm-studio', 'http://localhost:1234/v1/chat/completions'],
    ['llama-cpp', 'http://localhost:8080/v1/chat/completions'],
    ['sglang', 'http://localhost:30000/v1/chat/completions'],
    ['litellm', 'http://localhost:4000/v1/chat/completions'],
    ['new-api', 'https://gateway.example.com/v1/chat/completions'],
  ])('reaches the chat endpoint of %s', (id, address) => {
    expect(addressFor(named(id), 'openai-chat')).toBe(address);
  });

  it.each([
    ['fireworks', 'anthropic-messages', 'https://api.fireworks.ai/inference/v1/messages'],
    [
      'bedrock-mantle',
      'anthropic-messages',
      'https://bedrock-mantle.us-east-1.api.aws/anthropic/v1/messages',
    ],
    ['bedrock-mantle', 'openai-responses', 'https://bedrock-mantle.us-east-1.api.aws/v1/responses'],
    ['vercel', 'anthropic-messages', 'https://ai-gateway.vercel.sh/v1/messages'],
    ['openrouter', 'openai-responses', 'https://openrouter.ai/api/v1/responses'],
    ['azure-ai', 'openai-responses', 'https://name.services.ai.azure.com/openai/v1/responses'],
    ['vllm', 'anthropic-messages', 'http://localhost:8000/v1/messages'],
    ['new-api', 'gemini-generate', 'https://gateway.example.com/v1beta/models/m:generateContent'],
  ])('reaches the other endpoints of %s: %s', (id, format, address) => {
    expect(addressFor(named(id), format)).toBe(address);
  });

  it('finds one for channels of its type alone', () => {
    const settings = { vendor: { preset: 'groq' } };
    expect(presetOf(aRoute({ channelType: 1, settings }))?.id).toBe('groq');
    expect(presetOf(aRoute({ channelType: 20, settings }))).toBeUndefined();
    expect(presetOf(aRoute({ channelType: 1, settings: { vendor: { preset: 'gone' } } }))).toBeUndefined();
  });

  it('gives the channels of a preset that differs its own operations, and no others', () => {
    const route = aRoute({ channelType: 1, settings: { vendor: { preset: 'voyage' } } });
    const call = aProviderCall({ route, clientFormat: 'openai-embeddings' });
    expect(findOperation(providerOf(1), 'embed', call)?.apiFormat.id).toBe('voyage-embed');
    expect(findOperation(providerOf(1), 'chat', call)).toBeUndefined();
    expect(findOperation(providerOf(1), 'embed', { ...call, route: aRoute() })?.apiFormat.id).toBe(
      'openai-embeddings',
    );
  });

  it('bounds the items of calls of its own channels', () => {
    const provider = providerOf(1);
    const most = (preset: string) =>
      mostItemsOf(provider, 'rerank', aRoute({ channelType: 1, settings: { vendor: { preset } } }));
    expect([most('voyage'), most('groq')]).toEqual([1_000, undefined]);
  });
});

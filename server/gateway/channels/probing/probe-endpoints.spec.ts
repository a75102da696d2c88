import { describe, expect, it } from '@jest/globals';
import { type CallEndpoint, PROBE_ENDPOINTS } from '../state/probe-kinds.js';
import { canStream, findClientRoute, probeEndpointOf } from './probe-endpoints.js';

const CALLS = PROBE_ENDPOINTS.filter((endpoint): endpoint is CallEndpoint => endpoint !== 'realtime');
function routeOf(endpoint: CallEndpoint, model: string, stream = false) {
  const route = findClientRoute(endpoint, model, stream);
  if (route === undefined) throw new Error(`no route for ${endpoint}`);
  return route;
}
const documentOf = (endpoint: CallEndpoint, model: string, stream = false): Record<string, unknown> =>
  JSON.parse(routeOf(endpoint, model, stream).body.toString()) as Record<string, unknown>;

describe('probeEndpointOf', () => {
  it('finds every endpoint by name', () => {
    expect(PROBE_ENDPOINTS.map(probeEndpointOf)).toEqual(PROBE_ENDPOINTS);
  });

  it.each([
    ['openai', 'chat'],
    ['anthropic', 'messages'],
    ['generateContent', 'generate_content'],
    ['embedding', 'embeddings'],
  ])('takes %s for %s', (name, endpoint) => {
    expect(probeEndpointOf(name)).toBe(endpoint);
  });

  it.each(['', 'Chat', ' chat', 'constructor', '__proto__', 'toString', '聊天'])(
    'does not know %j',
    (name) => {
      expect(probeEndpointOf(name)).toBeUndefined();
    },
  );
});

describe('findClientRoute', () => {
  it.each(CALLS)('finds a route of this gateway for %s, streamed only where it can be', (endpoint) => {
    for (const stream of [false, true]) {
      const { dialect, route, path } = routeOf(endpoint, 'm', stream);
      expect(dialect.routes).toContain(route);
      expect(path).toMatch(/^\/v1/);
      expect(path).not.toMatch(/:model|\(/);
    }
    if (canStream(endpoint)) return;
    expect(routeOf(endpoint, 'm', true).body).toEqual(routeOf(endpoint, 'm').body);
  });

  it('marks streaming in the body, or in the address when the model is part of it', () => {
    expect(documentOf('chat', 'm', true)).toMatchObject({ model: 'm', stream: true });
    expect(documentOf('chat', 'm')).toMatchObject({ stream: false });
    expect(routeOf('generate_content', 'm', true)).toMatchObject({
      path: '/v1beta/models/m:streamGenerateContent',
      query: 'alt=sse',
      pathModel: 'm',
    });
    expect(routeOf('generate_content', 'm')).toMatchObject({
      path: '/v1beta/models/m:generateContent',
      query: '',
    });
    expect(documentOf('generate_content', 'm')).not.toHaveProperty('model');
  });

  it.each([
    ['a/b?c#d', 'a%2Fb%3Fc%23d'],
    ['$&', '%24%26'],
    ['模型', '%E6%A8%A1%E5%9E%8B'],
    ['..', '..'],
  ])('writes the model %s into an address as one part', (model, written) => {
    const route = routeOf('generate_content', model);
    expect(route.path).toBe(`/v1beta/models/${written}:generateContent`);
    expect(route.pathModel).toBe(model);
  });

  it('writes any name into a body as it is', () => {
    for (const model of ['', '"', 'constructor', '模型 😀'])
      expect(documentOf('embeddings', model)).toMatchObject({ model });
  });

  it.each([
    ['gpt-4o', { max_tokens: 16 }],
    ['o3-mini', { max_completion_tokens: 16 }],
    ['gpt-5', { max_completion_tokens: 16 }],
    ['qwen-thinking', { max_tokens: 50 }],
    ['claude-thinking', { max_tokens: 16 }],
    ['gemini-2.5-pro', { max_tokens: 3_000 }],
    ['omni', { max_tokens: 16 }],
  ])('requests few tokens from %s, under the name it knows', (model, cap) => {
    const { max_tokens, max_completion_tokens } = documentOf('chat', model);
    expect({ max_tokens, max_completion_tokens }).toEqual({
      max_tokens: undefined,
      max_completion_tokens: undefined,
      ...cap,
    });
  });

  it('sends audio to models that refuse conversations without any, and requests it from models with no other output', () => {
    const parts = JSON.stringify(documentOf('chat', 'gpt-audio')['messages']);
    expect(parts).toContain('"format":"wav"');
    expect(JSON.stringify(documentOf('chat', 'gpt-4o')['messages'])).not.toContain('wav');
    expect(documentOf('generate_content', 'gemini-2.5-flash-preview-tts')['generationConfig']).toMatchObject({
      responseModalities: ['AUDIO'],
    });
    expect(documentOf('generate_content', 'gemini-2.5-flash')['generationConfig']).not.toHaveProperty(
      'responseModalities',
    );
  });

  it('sends a recording as a form whose boundary its content type names', () => {
    for (const stream of [false, true]) {
      const { contentType, body } = routeOf('transcriptions', 'whisper-模', stream);
      const boundary = /^multipart\/form-data; boundary=(.+)$/.exec(contentType)?.[1] ?? '';
      const text = body.toString();
      expect(boundary).not.toBe('');
      expect(text.startsWith(`--${boundary}\r\n`)).toBe(true);
      expect(text.trimEnd().endsWith(`--${boundary}--`)).toBe(true);
      expect(text).toContain('whisper-模');
      expect(text.includes('name="stream"')).toBe(stream);
    }
  });
});

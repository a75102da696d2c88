import { describe, expect, it } from '@jest/globals';
import { normalisePath } from './relay-paths.js';

describe('the usual spelling of an address', () => {
  it.each([
    ['/v1/chat/completions', '/v1/chat/completions'],
    ['/v1/chat/completions?x=/v1/v1/', '/v1/chat/completions?x=/v1/v1/'],
    ['/openai/v1/chat/completions', '/v1/chat/completions'],
    ['/openai/v1/models?limit=2', '/v1/models?limit=2'],
    ['/openai/v1/openai/v1/chat/completions', '/v1/chat/completions'],
    ['/v1/openai/v1/models', '/v1/models'],
    ['/openai/unknown', '/openai/unknown'],
    ['/anthropic/v1/messages?beta=true', '/v1/messages?beta=true'],
    ['/anthropic/v1/messages/count_tokens', '/v1/messages/count_tokens'],
    ['/anthropic/v1/models?limit=2', '/v1/models?limit=2'],
    ['/anthropic/v1/models/a/b', '/v1/models/a/b'],
    ['/anthropic/v1/modelsx', '/anthropic/v1/modelsx'],
    ['/anthropic/v1/unknown', '/anthropic/v1/unknown'],
    ['/v1beta/openai/chat/completions', '/v1/chat/completions'],
    ['/v1beta/openai/models', '/v1beta/openai/models'],
    ['/v1beta/openai/models/a/b', '/v1beta/openai/models/a/b'],
    ['/v1alpha/models/m:generateContent', '/v1beta/models/m:generateContent'],
    ['/v1alpha/files', '/v1alpha/files'],
    ['/v1/v1/messages', '/v1/messages'],
    ['//v1//v1/messages/', '/v1/messages/'],
    ['/openai/v1/v1/responses', '/v1/responses'],
    ['/v1/messages/v1/messages', '/v1/messages'],
    ['/v1/chat/completions/chat/completions', '/v1/chat/completions'],
    ['/v1/chat/completions/v1/chat/completions?x=1', '/v1/chat/completions?x=1'],
    ['/v1/chat/completions/more', '/v1/chat/completions/more'],
    ['/v1/messages/responses', '/v1/messages/responses'],
    ['/chat/completions', '/v1/chat/completions'],
    ['/messages', '/v1/messages'],
    ['/messages/count_tokens', '/v1/messages/count_tokens'],
    ['/messages/batches', '/messages/batches'],
    ['/audio/transcriptions', '/v1/audio/transcriptions'],
    ['/rerank/', '/v1/rerank/'],
    ['/v2/rerank', '/v1/rerank'],
    ['/v2/chat', '/v2/chat'],
    ['/chat', '/chat'],
    ['/models', '/models'],
    ['/token', '/token'],
    ['*', '*'],
  ])('%s becomes %s', (url, usual) => {
    expect(normalisePath(url, '')).toBe(usual);
    if (url.startsWith('/')) expect(normalisePath(`/gateway${url}`, '/gateway')).toBe(usual);
  });
});

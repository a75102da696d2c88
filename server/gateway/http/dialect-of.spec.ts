import { describe, expect, it } from '@jest/globals';
import { dialectOf } from './dialect-of.js';
import { anthropic } from '../../relay-core/dialects/anthropic.js';
import { gemini } from '../../relay-core/dialects/gemini.js';
import { midjourneyDialect } from '../../relay-core/dialects/midjourney.js';
import { openai } from '../../relay-core/dialects/openai.js';
import { sunoDialect } from '../../relay-core/dialects/suno.js';

describe('dialectOf', () => {
  it.each([
    ['/v1/messages', anthropic],
    ['/v1/messages/count_tokens?beta=true', anthropic],
    ['/v1/messagesx', openai],
    ['/anthropic/v1/messages', anthropic],
    ['/v1beta/models/gemini-2.5-pro:generateContent', gemini],
    ['/v1beta/openai/chat/completions', openai],
    ['/v1/models/gemini-2.5-pro:streamGenerateContent', gemini],
    ['/mj-fast/submit/imagine', midjourneyDialect],
    ['/mjx', openai],
    ['/suno/submit/music', sunoDialect],
    ['/v1/chat/completions', openai],
    ['/nowhere', openai],
  ])('answers at %s in the API of its clients', (url, dialect) => {
    expect(dialectOf(url, {})).toBe(dialect);
  });

  it('chooses the list of models by header or key', () => {
    expect(dialectOf('/v1/models', {})).toBe(openai);
    expect(dialectOf('/v1/models', { 'anthropic-version': '2023-06-01' })).toBe(anthropic);
    expect(dialectOf('/v1/models/x', { 'x-goog-api-key': 'k' })).toBe(gemini);
    expect(dialectOf('/v1/models?key=k', {})).toBe(gemini);
    expect(dialectOf('/v1/models?monkey=k', {})).toBe(openai);
  });
});

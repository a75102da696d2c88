import { describe, expect, it } from '@jest/globals';
import { hidesReasoning } from './model-family.js';

describe('hidesReasoning', () => {
  it.each([
    'o1',
    'o3-mini',
    'openai/o4-mini',
    'gpt-5',
    'gpt-5.1-codex',
    'codex-mini',
    'grok-4',
    'x-ai/grok-3-mini',
    'gemini-2.5-pro',
    'gemini-3-pro-preview',
    'gemini-flash-latest',
    'google/gemini-pro-latest',
    'gemini-flash-lite-latest',
  ])('holds for %s as for a whole answer', (model) => {
    expect(hidesReasoning(model)).toBe(true);
  });

  it.each([
    'gpt-4o',
    'gpt-5-chat-latest',
    'gpt-5.1-chat',
    'o3x',
    'grok-3',
    'gemini-2.0-flash',
    'claude-sonnet-4-5',
    'a/b/o3',
  ])('sees what %s makes', (model) => {
    expect(hidesReasoning(model)).toBe(false);
  });
});

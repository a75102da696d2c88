import { describe, expect, it } from '@jest/globals';
import { reasonsBesideCap } from './reasoning-beside-cap.js';

const OPENAI = 1;
const ALI = 17;
const XAI = 48;

describe('reasonsBesideCap', () => {
  it.each([
    [ALI, 'deepseek-r1'],
    [XAI, 'grok-4-0709'],
    [OPENAI, 'Qwen/Qwen3-235B-A22B'],
    [OPENAI, 'x-ai/grok-4-fast'],
    [OPENAI, 'doubao-seed-1-6-thinking'],
    [OPENAI, 'perplexity/sonar-deep-research'],
  ])('lets reasoning exceed the cap on channel type %d for %s', (channelType, model) => {
    expect(reasonsBesideCap(channelType, model)).toBe(true);
  });

  it.each(['gpt-5', 'o3', 'claude-opus-4-5', 'gemini-3-pro', 'deepseek-reasoner', 'grok-3', 'a/b/qwen3'])(
    'counts the reasoning of %s against the cap',
    (model) => {
      expect(reasonsBesideCap(OPENAI, model)).toBe(false);
    },
  );
});

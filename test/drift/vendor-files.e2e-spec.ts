import { describe, expect, it } from '@jest/globals';
import { namesVendor, withoutComments } from '../../scripts/count-vendor-files.mjs';

describe('namesVendor', () => {
  it.each([
    ['xaiReasoning', 'xai'],
    ['readXAIKey', 'xai'],
    ['server/relay-core/providers/xai.ts', 'xai'],
    ['deepSeekSchema', 'deepseek'],
    ['BEDROCK_FORM', 'bedrock'],
  ])('finds the name in %s', (text, name) => {
    expect(namesVendor(text, name)).toBe(true);
  });

  it.each([
    ['maxAiCalls', 'xai'],
    ['coherent', 'cohere'],
    ['deep seeker', 'deepseek'],
  ])('finds no name in %s', (text, name) => {
    expect(namesVendor(text, name)).toBe(false);
  });
});

describe('withoutComments', () => {
  it('leaves code and texts, and takes comments out', () => {
    const code = "/** Of Cohere. */\nconst url = 'https://api.cohere.ai'; // Cohere\n";
    expect(withoutComments('a.ts', code)).toBe("\nconst url = 'https://api.cohere.ai'; \n");
  });
});

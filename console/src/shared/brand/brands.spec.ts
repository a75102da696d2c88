import { describe, expect, it } from '@jest/globals';
import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { LOGOS, logoOf } from './brands';

const packageFile = createRequire(import.meta.url).resolve('@lobehub/icons-static-svg/package.json');

describe('logoOf', () => {
  it.each([
    ['gpt-4o-mini', 'openai'],
    ['o3-mini', 'openai'],
    ['claude-opus-4-8', 'claude-color'],
    ['anthropic/claude-opus-4-8', 'claude-color'],
    ['gemini-2.5-pro', 'gemini-color'],
    ['deepseek-chat', 'deepseek-color'],
    ['@cf/meta/llama-3', 'cloudflare-color'],
    ['Azure OpenAI', 'azure-color'],
    ['OpenRouter', 'openrouter'],
    ['qwen3-max', 'qwen-color'],
    ['my-house-model', undefined],
    ['overall', undefined],
  ])('finds the logo of %s', (name, logo) => {
    expect(logoOf(name)).toBe(logo);
  });
});

describe('LOGOS', () => {
  it('names files of the package, each once', () => {
    expect(new Set(LOGOS).size).toBe(LOGOS.length);
    const missing = LOGOS.filter((logo) => !existsSync(join(dirname(packageFile), `icons/${logo}.svg`)));
    expect(missing).toEqual([]);
  });
});

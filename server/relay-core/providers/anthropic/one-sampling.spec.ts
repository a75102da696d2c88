import { describe, expect, it } from '@jest/globals';
import { MESSAGE, sentTo } from '../../../../test/support/sent-to.js';

const ASKED = { generationConfig: { temperature: 0.2, topP: 0.5 } };
const answer = MESSAGE;

describe('temperature and top_p in one request for Claude', () => {
  it.each([
    ['a name of its own at the vendor’s address', { baseUrl: '', upstreamModel: 'sonnet-latest' }],
    [
      'the name of another vendor at that address',
      { baseUrl: 'https://api.anthropic.com', upstreamModel: 'gemini-2.5-pro' },
    ],
    ['a model of 4.5', { baseUrl: '', upstreamModel: 'claude-opus-4-5-20251101' }],
    ['a model of 4.1', { baseUrl: '', upstreamModel: 'claude-opus-4-1-20250805' }],
    ['a model of 4.5 at another address', { upstreamModel: 'claude-haiku-4-5' }],
  ])('leave without top_p: %s', async (_name, route) => {
    const { body, warnings } = await sentTo(14, 'gemini', ASKED, { ...route, answer });
    expect([body['temperature'], body['top_p']]).toEqual([0.2, undefined]);
    expect(warnings).toContain('top_p');
  });

  it.each([
    ['an older model', { baseUrl: '', upstreamModel: 'claude-3-5-haiku-20241022' }],
    ['the model of another vendor at an address of its own', { upstreamModel: 'kimi-k2.5' }],
  ])('leave both: %s', async (_name, route) => {
    const { body } = await sentTo(14, 'gemini', ASKED, { ...route, answer });
    expect([body['temperature'], body['top_p']]).toEqual([0.2, 0.5]);
  });
});

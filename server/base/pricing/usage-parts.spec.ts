import { describe, expect, it } from '@jest/globals';
import type { Usage } from '../../relay-core/model/usage.js';
import {
  inputLength,
  isKnownEmpty,
  MAX_TOKENS_PER_FIGURE,
  splitUsage,
  toolUses,
  USAGE_PARTS,
} from './usage-parts.js';

const NOTHING = Object.fromEntries(USAGE_PARTS.map((part) => [part, 0]));
const usage = (input: Usage['input'], output: Usage['output'] = { total: 0 }): Usage => ({ input, output });

describe('splitUsage', () => {
  it.each<[string, Usage, object]>([
    ['text alone', usage({ total: 100 }, { total: 20 }), { textInput: 100, textOutput: 20 }],
    [
      'each part of the input once',
      usage({ total: 100, cacheRead: 10, cacheWrite: 20, cacheWrite1h: 5, audio: 7, image: 3 }),
      { textInput: 60, cacheRead: 10, cacheWrite: 15, cacheWrite1h: 5, audioInput: 7, imageInput: 3 },
    ],
    [
      'each part of the output once',
      usage({ total: 0 }, { total: 50, audio: 10, image: 5 }),
      { textOutput: 35, audioOutput: 10, imageOutput: 5 },
    ],
    [
      'details that claim more than the total in their order',
      usage({ total: 30, cacheRead: 20, cacheWrite: 20, audio: 5 }),
      { cacheRead: 20, cacheWrite: 10 },
    ],
    [
      'an unknown total as the sum of the details',
      usage({ total: undefined, cacheRead: 4, image: 6 }),
      { cacheRead: 4, imageInput: 6 },
    ],
    [
      'an hour that is longer than all writes as all writes',
      usage({ total: 10, cacheWrite: 2, cacheWrite1h: 8 }),
      { textInput: 2, cacheWrite1h: 8 },
    ],
    ['figures that cannot be true as none', usage({ total: -5 }, { total: Number.NaN }), {}],
    ['absurd figures as the largest', usage({ total: 1e18 }), { textInput: MAX_TOKENS_PER_FIGURE }],
    ['parts of a token as whole ones', usage({ total: 9.9 }), { textInput: 9 }],
  ])('counts %s', (_name, given, parts) => {
    expect(splitUsage(given)).toEqual({ ...NOTHING, ...parts });
  });

  it('counts reasoning apart only where it has a price of its own', () => {
    const given = usage({ total: 0 }, { total: 50, reasoning: 30, audio: 30 });
    expect(splitUsage(given)).toMatchObject({ textOutput: 20, audioOutput: 30, reasoningOutput: 0 });
    expect(splitUsage(given, true)).toMatchObject({ textOutput: 0, audioOutput: 30, reasoningOutput: 20 });
  });

  it('never loses or doubles a token of the input', () => {
    const given = usage({
      total: 100,
      cacheRead: 90,
      cacheWrite: 90,
      cacheWrite1h: 90,
      audio: 90,
      image: 90,
    });
    expect(inputLength(splitUsage(given))).toBe(100);
  });
});

describe('isKnownEmpty', () => {
  it.each([
    [0, 0, true],
    [0, undefined, false],
    [undefined, undefined, false],
    [1, 0, false],
    [0, 1, false],
  ])('takes input %p and output %p for %p', (input, output, isEmpty) => {
    expect(isKnownEmpty(usage({ total: input }, { total: output }))).toBe(isEmpty);
  });
});

describe('toolUses', () => {
  const withTools = (tools: Usage['tools'], total = 1): Usage => ({
    ...usage({ total }),
    ...(tools === undefined ? {} : { tools }),
  });

  it('counts uses, none of them more often than any answer makes', () => {
    expect(
      toolUses(withTools({ 'web-search': 3, 'file-search': 0, 'code-execution': 1e9 }), undefined),
    ).toEqual([
      ['web-search', 3],
      ['code-execution', 128],
    ]);
  });

  it('adds those that every answer of the model makes, once and not beside a count', () => {
    expect(toolUses(withTools({ 'web-search': 3 }), ['web-search', 'image-generation'])).toEqual([
      ['web-search', 3],
      ['image-generation', 1],
    ]);
  });

  it('adds none to an answer that used nothing', () => {
    expect(toolUses(withTools(undefined, 0), ['web-search'])).toEqual([]);
  });
});

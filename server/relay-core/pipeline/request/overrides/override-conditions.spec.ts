import { describe, expect, it } from '@jest/globals';
import { parseExact } from '../../../framing/exact-json.js';
import { conditionsHold, type OverrideContext } from './override-conditions.js';
import { CONDITION, type OverrideCondition } from './override-rules.js';

const CONTEXT: OverrideContext = {
  model: 'asked',
  upstreamModel: 'sent',
  requestPath: '/v1/chat/completions',
  retryIndex: 1,
  lastError: { message: 'too busy', status: 429 },
  isChannelTest: false,
};
const BODY = parseExact(
  '{"n":2,"seed":12345678901234567890,"empty":"","none":null,"on":true,"text":"abc","tags":["a","b"],"o":{"a":1}}',
);

const conditionOf = (path: string, mode: string, value: unknown, more: object = {}): OverrideCondition =>
  CONDITION.parse({ path, mode, value, ...more });

const holds = (...conditions: readonly OverrideCondition[]): boolean =>
  conditionsHold({ conditions, logic: 'OR' }, BODY, { 'x-tier': 'gold', authorization: 'Bearer k' }, CONTEXT);

describe('conditionsHold', () => {
  it.each([
    ['n', 'full', 2, true],
    ['n', 'full', '2', true],
    ['n', 'full', '2.0', false],
    ['text', 'full', 'abc', true],
    ['text', 'full', 'ab', false],
    ['on', 'full', true, true],
    ['on', 'full', 'true', true],
    ['none', 'full', null, true],
    ['o', 'full', { a: 1 }, true],
    ['o', 'full', { a: 2 }, false],
    ['tags', 'full', ['a', 'b'], true],
    ['seed', 'full', '12345678901234567890', true],
    ['seed', 'full', '12345678901234567891', false],
    ['text', 'prefix', 'ab', true],
    ['text', 'suffix', 'bc', true],
    ['text', 'contains', 'bc', true],
    ['tags', 'contains', 'b', true],
    ['tags', 'contains', 'c', false],
    ['seed', 'prefix', '123', true],
  ])('compares %s, %s %j: %p', (path, mode, value, expected) => {
    expect(holds(conditionOf(path, mode, value))).toBe(expected);
  });

  it.each([
    ['n', 'gt', 1, true],
    ['n', 'gt', 2, false],
    ['n', 'gte', '2', true],
    ['n', 'lt', 2, false],
    ['n', 'lte', 2, true],
    ['seed', 'gt', 1e19, true],
    ['seed', 'lt', 1, false],
    ['retry_index', 'gte', 1, true],
    ['last_error_status_code', 'lt', 500, true],
  ])('compares the numbers of %s, %s %j: %p', (path, mode, value, expected) => {
    expect(holds(conditionOf(path, mode, value))).toBe(expected);
  });

  it.each(['empty', 'none', 'on', 'text', 'tags', 'o'])('takes %s for no number, not even zero', (path) => {
    for (const mode of ['gt', 'gte', 'lt', 'lte']) expect(holds(conditionOf(path, mode, 0))).toBe(false);
    expect(holds(conditionOf('n', 'lte', ''))).toBe(false);
  });

  it('lets what is not there hold only where that is asked for, inverted or not', () => {
    expect(holds(conditionOf('gone', 'full', 1))).toBe(false);
    expect(holds(conditionOf('gone', 'full', 1, { invert: true }))).toBe(false);
    expect(holds(conditionOf('gone', 'full', 1, { pass_missing_key: true }))).toBe(true);
    expect(holds(conditionOf('last_error_code', 'full', 1, { pass_missing_key: true }))).toBe(true);
    expect(holds(conditionOf('n', 'full', 1, { invert: true }))).toBe(true);
  });

  it('reads headers in both spellings, and never a caller’s key', () => {
    expect(holds(conditionOf('header:X-Tier', 'full', 'gold'))).toBe(true);
    expect(holds(conditionOf('request_headers.x-tier', 'full', 'gold'))).toBe(true);
    expect(holds(conditionOf('header:Authorization', 'prefix', ''))).toBe(false);
  });

  it('asks for one of them, or for all', () => {
    const [yes, no] = [conditionOf('n', 'full', 2), conditionOf('n', 'full', 3)];
    const both = (logic: 'AND' | 'OR') => conditionsHold({ conditions: [yes, no], logic }, BODY, {}, CONTEXT);
    expect([both('OR'), both('AND')]).toEqual([true, false]);
    expect(holds()).toBe(true);
  });
});

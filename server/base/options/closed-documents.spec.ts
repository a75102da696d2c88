import { describe, expect, it } from '@jest/globals';
import { OPTION_KEYS, type OptionKey, optionRow } from './option-catalogue.js';
import { OptionValueError } from './option-kinds.js';

type Path = readonly (string | number)[];

/** Example values of options whose fallback is empty: a new one needs a line here. */
const EXAMPLES: Partial<Record<OptionKey, unknown>> = {
  'console_setting.announcements': [
    {
      id: 1,
      content: 'Maintenance',
      publishDate: '2026-11-25T08:00:00Z',
      type: 'warning',
      extra: 'at night',
    },
  ],
  'console_setting.api_info': [
    { id: 1, url: 'https://eu.gateway.example', route: 'Europe', description: 'Frankfurt', color: 'green' },
  ],
  'console_setting.faq': [{ id: 1, question: 'Which models?', answer: 'See the prices.' }],
  'console_setting.uptime_kuma_groups': [
    { id: 1, categoryName: 'Models', url: 'https://kuma.example', slug: 'models', description: 'hourly' },
  ],
  Chats: [{ Cherry: 'cherrystudio://providers/api-keys?v=1&data={key}' }],
  ServiceTierRatio: { flex: 0.5, 'priority:gpt-5': 2 },
  GroupGroupRatio: { vip: { default: 0.5 } },
  GroupModelRatio: { vip: { 'gpt-4o': 0.5, 'claude-*': 0.8 } },
  ModelRequestRateLimitGroup: { vip: [100, 50] },
  NativeChannelsFirstGroup: { vip: true },
  'claude.default_max_tokens': { default: 8192 },
  'claude.model_headers_settings': { 'claude-sonnet-4-5': { 'anthropic-beta': ['context-1m-2025-08-07'] } },
  'payment_setting.amount_discount': { '100': 0.9 },
};
const UNKNOWN = 'zzz_nobody';
/** A value that fits the type of no member. */
const OF_NO_TYPE = [[[]]];
/** Entries of one object that are walked: those of a price table are alike. */
const WALKED = 3;

const JSON_KEYS = OPTION_KEYS.filter((key) => optionRow(key).kind === 'json');

function exampleOf(key: OptionKey): unknown {
  const row = optionRow(key);
  const fallback: unknown = JSON.parse(row.format(row.fallback));
  const isEmpty = Object.keys(fallback as object).length === 0;
  return isEmpty ? EXAMPLES[key] : fallback;
}

/** Refusal an operator gets when saving this; undefined = it is stored. */
function refusalOf(key: OptionKey, document: unknown): string | undefined {
  const { parse, complaint } = optionRow(key);
  const text = JSON.stringify(document);
  try {
    parse(text);
    return complaint?.(text);
  } catch (error) {
    if (error instanceof OptionValueError) return error.message;
    throw error;
  }
}

function* placesIn(
  value: unknown,
  path: Path = [],
): Generator<{ readonly path: Path; readonly value: unknown }> {
  if (path.length > 0) yield { path, value };
  if (typeof value !== 'object' || value === null) return;
  const entries = Array.isArray(value) ? [...value.entries()] : Object.entries(value);
  for (const [name, member] of entries.slice(0, WALKED)) yield* placesIn(member, [...path, name]);
}

function withValueAt(document: unknown, path: Path, value: unknown): unknown {
  const [name, ...rest] = path;
  if (name === undefined) return value;
  const copy: unknown = Array.isArray(document) ? [...document] : { ...(document as object) };
  const holder = copy as Record<string | number, unknown>;
  holder[name] = withValueAt(holder[name], rest, value);
  return copy;
}

const isObject = (value: unknown): boolean =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

describe('every JSON option', () => {
  it.each(JSON_KEYS)('%s is stored as it stands in its example', (key) => {
    const example = exampleOf(key);
    expect(example).toBeDefined();
    expect(refusalOf(key, example)).toBeUndefined();
  });

  it.each(JSON_KEYS)('%s names the value of a wrong type', (key) => {
    const example = exampleOf(key);
    const places = [...placesIn(example)];
    expect(places.length).toBeGreaterThan(0);
    for (const { path } of places) {
      const refusal = refusalOf(key, withValueAt(example, path, OF_NO_TYPE)) ?? 'stored';
      const named = /\(see (.*)\)$|nobody reads (.*)$/.exec(refusal);
      const place = named?.[1] ?? named?.[2] ?? '';
      const wrong = path.join('.');
      // The path itself, one below the planted value, or a list that is checked as a whole.
      const isNamed = place !== '' && (wrong.startsWith(place) || place.startsWith(wrong));
      expect({ wrong, refusal, isNamed }).toEqual({ wrong, refusal, isNamed: true });
    }
  });

  it.each(JSON_KEYS)('%s names a member that does not belong to any of its objects', (key) => {
    const example = exampleOf(key);
    const objects = [{ path: [] as Path, value: example }, ...placesIn(example)].filter(({ value }) =>
      isObject(value),
    );
    for (const { path } of objects) {
      const added = [...path, UNKNOWN];
      const refusal = refusalOf(key, withValueAt(example, added, OF_NO_TYPE)) ?? 'stored';
      expect({ path, refusal }).toEqual({ path, refusal: expect.stringContaining(added.join('.')) });
    }
  });

  it.each(JSON_KEYS)('accepts %s as it was stored with such a member, with a complaint', (key) => {
    const { parse, complaint } = optionRow(key);
    const example = exampleOf(key);
    const text = JSON.stringify(example);
    if (!isObject(example) || !text.startsWith('{"')) return;
    const twice = `{${text.slice(1, text.indexOf(':') + 1)}${JSON.stringify(Object.values(example as object)[0])},${text.slice(1)}`;
    expect(parse(twice)).toEqual(parse(text));
    expect(complaint?.(twice)).toContain('each name once');
  });

  it('closed ones refuse members of the right type as well', () => {
    const rule = (more: object, source: object = {}) => [
      { name: 'r', key_sources: [{ type: 'gjson', path: 'a', ...source }], ...more },
    ];
    const override = (operation: object) =>
      rule({ param_override_template: { operations: [{ mode: 'set', path: 'a', value: 1, ...operation }] } });
    const cases: readonly (readonly [OptionKey, unknown, string])[] = [
      ['PayMethods', [{ name: 'Alipay', type: 'alipay', color: 'blue' }], '0.color'],
      ['LongContextRatio', { m: [{ above: 1, input: 1, output: 1, cached: 1 }] }, 'm.0.cached'],
      ['channel_affinity_setting.rules', rule({ model: ['x'] }), '0.model'],
      ['channel_affinity_setting.rules', rule({}, { header: 'x' }), '0.key_sources.0.header'],
      ['channel_affinity_setting.rules', override({ match: [] }), 'operations.0.match'],
      ['channel_affinity_setting.rules', override({ mode: 'sett' }), 'operations.0.mode'],
      ['channel_affinity_setting.rules', override({ path: 'model' }), 'param_override_template.model'],
      ['Chats', [{ A: 'https://a.example', B: 'https://b.example' }], '0.B'],
      ['Chats', [{ A: 'javascript:alert(1)' }], '0.A'],
    ];
    for (const [key, document, place] of cases)
      expect([key, refusalOf(key, document)]).toEqual([key, expect.stringContaining(place)]);
  });

  it('names in maps and lists lose the blanks they were pasted with, and none is lost to another', () => {
    expect(optionRow('ModelRatio').parse('{" gpt-4o\\t": 1}')).toEqual({ 'gpt-4o': 1 });
    expect(refusalOf('ModelRatio', { ' gpt-4o': 1 })).toBeUndefined();
    expect(refusalOf('ModelRatio', { 'gpt-4o': 2, ' gpt-4o': 1 })).toContain('gpt-4o');
    expect(optionRow('global.thinking_model_blacklist').parse('[" a ", "b"]')).toEqual(['a', 'b']);
  });
});

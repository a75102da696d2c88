import { describe, expect, it } from '@jest/globals';
import { affinityRules, type AffinityRule, DEFAULT_AFFINITY_RULES, wrongTemplate } from './affinity-rules.js';

const BY_USER = [{ type: 'context_int', key: 'user_id' }];
const rule = (changes: object = {}) => ({ name: 'r', key_sources: BY_USER, ...changes });
const accepts = (changes: object): boolean => affinityRules.safeParse([rule(changes)]).success;

describe('affinityRules', () => {
  it('fills in what a rule leaves out: every call, within its group, tried elsewhere after a failure', () => {
    expect(affinityRules.parse([rule()])).toEqual([
      {
        name: 'r',
        model_regex: [],
        path_regex: [],
        user_agent_include: [],
        key_sources: BY_USER,
        value_regex: '',
        ttl_seconds: 0,
        param_override_template: null,
        skip_retry_on_failure: false,
        include_using_group: true,
        include_model_name: false,
        include_rule_name: true,
      },
    ]);
  });

  it('takes no rules at all and fifty, and refuses one more', () => {
    const many = (length: number) => affinityRules.safeParse(Array.from({ length }, () => rule())).success;
    expect([many(0), many(50), many(51)]).toEqual([true, true, false]);
  });

  it.each([
    ['no name', { name: '' }],
    ['a name of 101 characters', { name: 'n'.repeat(101) }],
    ['nothing that names a conversation', { key_sources: [] }],
    ['eleven places to look', { key_sources: Array.from({ length: 11 }, () => BY_USER[0]) }],
    ['a place nobody knows', { key_sources: [{ type: 'constructor' }] }],
    ['a pattern that does not parse', { model_regex: ['('] }],
    ['a repetition inside a repetition', { path_regex: ['(a+)+$'] }],
    ['a value pattern that looks around', { value_regex: '(?=a)a' }],
    ['a pattern of 201 characters', { model_regex: ['a'.repeat(201)] }],
    ['21 patterns', { model_regex: Array.from({ length: 21 }, () => 'a') }],
    ['a client without a name: it would be in every one', { user_agent_include: [''] }],
    ['a time below zero', { ttl_seconds: -1 }],
    ['parts of a second', { ttl_seconds: 0.5 }],
    ['more than a week', { ttl_seconds: 604_801 }],
    ['a list as override', { param_override_template: [] }],
  ])('refuses %s', (_what, changes) => {
    expect(accepts(changes)).toBe(false);
  });

  it.each([
    ['a week', { ttl_seconds: 604_800 }],
    ['a name of any script', { name: '会话 😀' }],
    ['patterns of any script', { model_regex: ['^模型-\\p{L}+$'] }],
    ['an override without a member', { param_override_template: {} }],
  ])('takes %s', (_what, changes) => {
    expect(accepts(changes)).toBe(true);
  });

  it('takes its own defaults as they are', () => {
    expect(affinityRules.parse(DEFAULT_AFFINITY_RULES)).toEqual(DEFAULT_AFFINITY_RULES);
    expect(wrongTemplate(DEFAULT_AFFINITY_RULES)).toBeUndefined();
  });
});

describe('wrongTemplate', () => {
  const withTemplates = (...templates: (Readonly<Record<string, unknown>> | null)[]): AffinityRule[] =>
    templates.map((param_override_template) => ({
      ...(DEFAULT_AFFINITY_RULES[0] as AffinityRule),
      param_override_template,
    }));
  const right = { operations: [{ mode: 'set', path: 'temperature', value: 0 }] };

  it.each([
    ['a rule without an override', [null], undefined],
    ['an override without a member', [{}], undefined],
    ['an operation that is in order', [right], undefined],
    ['an operation without a value', [{ operations: [{ mode: 'set', path: 'a' }] }], '0.'],
    ['the second of two', [right, { operations: [{ mode: 'constructor', path: 'a' }] }], '1.'],
  ])('judges %s', (_what, templates, start) => {
    const place = wrongTemplate(withTemplates(...templates));
    if (start === undefined) expect(place).toBeUndefined();
    else expect(place).toMatch(new RegExp(`^${start}param_override_template\\.operations`));
  });

  it('names the first place of several', () => {
    expect(wrongTemplate(withTemplates(null, { operations: 1 }, { operations: 1 }))).toMatch(/^1\./);
  });
});

import { describe, expect, it } from '@jest/globals';
import { join } from 'node:path';
import { consoleTextFaults, readConsoleTexts, termFaults } from '../../scripts/console-texts.mjs';
import { ZH_REFUSALS } from '../../server/base/logs/refusal-texts.js';
import { TASK_REASONS } from '../../server/base/logs/task-reasons.js';
import { ERROR_CATALOGUE } from '../../server/common/errors/error-catalogue.js';
import { findingText } from '../../server/console/operations/alerts/finding-texts.js';
import { RULES } from '../../server/console/operations/model/finding.js';

/** Language, key and text. */
type Shown = readonly ['en' | 'zh', string, string];

const root = join(import.meta.dirname, '../..');

const faultsOf = (en: object, zh: object = {}) =>
  consoleTextFaults({ en: { 'a.json': JSON.stringify(en) }, zh: { 'a.json': JSON.stringify(zh) } });

/** Rules that one text of a language breaks, without those of the missing counterpart. */
const broken = (language: 'en' | 'zh', text: string) => {
  const faults =
    language === 'en' ? faultsOf({ k: text }, { k: '文' }) : faultsOf({ k: 'Text' }, { k: text });
  return faults
    .map((fault) => /^\S+ \S+ ([\w-]+):/.exec(fault)?.[1])
    .filter((rule) => rule !== 'same-placeholders');
};

describe('the rules for texts of the console', () => {
  it.each([
    ['no-outer-blanks', 'en', 'Save '],
    ['no-empty-text', 'en', ''],
    ['single-blanks', 'en', 'Save  it'],
    ['one-ellipsis', 'zh', '正在加载...'],
    ['typographic-quotes', 'en', "The caller's own"],
    ['typographic-quotes', 'en', 'Set "default"'],
    ['no-han', 'en', 'The 令牌'],
    ['sentence-case', 'en', 'Usage Log'],
    ['full-width-punctuation', 'zh', '请重试,再保存'],
    ['full-width-punctuation', 'zh', '额度(美元)'],
    ['full-width-punctuation', 'zh', '已保存!'],
    ['blank-beside-latin', 'zh', '使用GitHub登录'],
    ['no-blank-beside-full-width', 'zh', '已保存 。请刷新'],
    ['one-word', 'en', 'Sign in with GitHub'],
    ['one-word', 'en', 'Sign them out'],
    ['one-word', 'en', 'Sign {{name}} out?'],
    ['one-word', 'en', 'Your e-mail'],
    ['one-word', 'en', 'Switched off'],
    ['one-word', 'en', 'The upstream failed'],
    ['one-word', 'en', 'Recharge'],
    ['one-word', 'en', 'Nobody called'],
    ['one-word', 'en', 'Initialise'],
    ['one-word', 'zh', '联系供应商'],
    ['one-word', 'zh', '你的余额'],
    ['one-word', 'zh', '管理员账号'],
    ['one-word', 'zh', '禁用通道'],
  ] as const)('finds %s in the %s text “%s”', (rule, language, text) => {
    expect(broken(language, text)).toContain(rule);
  });

  it.each([
    ['en', 'Log in with GitHub'],
    ['en', 'The caller’s own'],
    ['en', '{"operations": […]} with paths'],
    ['en', 'Signs each notice'],
    ['en', '{{vendors}} of {{upstream}}'],
    ['zh', '使用 GitHub 登录'],
    ['zh', '名称可写为“工具:模型”'],
    ['zh', '分组 → [最多请求次数, 最多请求完成次数]'],
    ['zh', '服务账号（JSON）'],
    ['zh', '第{{number}}条'],
  ] as const)('finds nothing in the %s text “%s”', (language, text) => {
    expect(broken(language, text)).toEqual([]);
  });

  it('finds keys and placeholders that differ between the languages', () => {
    expect(faultsOf({ a: { b: 'By {{name}}', c: 'Close' } }, { a: { b: '由 {{who}}', d: '打开' } })).toEqual([
      'zh a.a.c: same-keys: is missing',
      'zh a.a.d: same-keys: is extra',
      'zh a.a.b: same-placeholders: has other placeholders',
    ]);
  });

  it('finds a singular without its plural, and one with other placeholders', () => {
    const texts = {
      a_one: 'One',
      b_one: '{{name}} call',
      b_other: '{{count}} calls',
      c_one: 'A call',
      c_other: '{{count}} calls',
    };
    expect(consoleTextFaults({ en: { 'a.json': JSON.stringify(texts) } })).toEqual([
      'en a.a_one: plural-pair: has no _other',
      'en a.b_one: plural-pair: has other placeholders than _other',
    ]);
  });

  it('finds a key that stands twice in its object, and none that stands in two', () => {
    const text = '{"a": {"x": "Save", "x": "Save"}, "b": {"x": "Save"}}';
    expect(consoleTextFaults({ en: { 'a.json': text } })).toEqual([
      'en a.a.x: no-key-twice: stands twice in its file',
    ]);
  });

  it('finds the words of the console in the texts of the server that it shows', () => {
    const shown: Shown[] = [
      ...Object.entries(ERROR_CATALOGUE).flatMap(([code, { en, zh }]): Shown[] => [
        ['en', code, en],
        ['zh', code, zh],
      ]),
      ...Object.entries(ZH_REFUSALS).map(([code, text]): Shown => ['zh', code, text]),
      ...Object.entries(TASK_REASONS).map(([code, { zh }]): Shown => ['zh', code, zh]),
      ...(['en', 'zh'] as const).flatMap((language) =>
        RULES.flatMap((rule) => {
          const { title, sentence, remedy } = findingText(rule, {}, language);
          return [title, sentence, remedy].map((text): Shown => [language, rule, text]);
        }),
      ),
    ];
    expect(shown.length).toBeGreaterThan(500);
    expect(
      shown.flatMap(([language, id, text]) =>
        termFaults(language, id, text).map((fault) => `${language} ${id}: ${fault}`),
      ),
    ).toEqual([]);
  });

  it('finds nothing in the texts of the console', () => {
    expect(consoleTextFaults(readConsoleTexts(root))).toEqual([]);
  });
});

import type { Language } from '../../../common/language.js';

/** Names of parts of a usage, as lines of calls hold them. */
const PARTS_ZH: Readonly<Record<string, string>> = {
  'cache read': '缓存读取',
  'cache write': '缓存写入',
  'one-hour cache write': '一小时缓存写入',
  'picture input': '图片输入',
  'sound input': '音频输入',
  reasoning: '推理',
  'sound output': '音频输出',
  'picture output': '图片输出',
  input: '输入',
  output: '输出',
};

const partIn = (name = ''): string => PARTS_ZH[name] ?? name;

/** Notes behind the price of a call in English, and the same in Chinese. */
const NOTES_ZH: readonly (readonly [RegExp, (groups: Readonly<Record<string, string>>) => string])[] = [
  [
    /^(?<part>[a-z -]+) (?<tokens>\d+) tokens at ratio (?<ratio>\S+)$/,
    ({ part, tokens, ratio }) => `${partIn(part)} ${tokens} Token，倍率 ${ratio}`,
  ],
  [
    /^above (?<above>\d+) input tokens: (?<factors>.+)$/,
    ({ above, factors = '' }) =>
      `输入超过 ${above} Token：${factors.replaceAll(/([a-z ]+) × (\S+?)(?:, |$)/g, (_all, part: string, factor: string) => `${partIn(part)} × ${factor}，`).replace(/，$/, '')}`,
  ],
  [/^factor (?<factor>.+)$/, ({ factor }) => `系数 ${factor}`],
  [/^action (?<action>\S+), task (?<task>.+)$/, ({ action, task }) => `操作 ${action}，任务 ${task}`],
  [/^action (?<action>\S+)$/, ({ action }) => `操作 ${action}`],
  [/^service tier (?<tier>\S+) at the usual price$/, ({ tier }) => `服务等级 ${tier}，按常规价格`],
  [/^service tier (?<tier>\S+) × (?<factor>\S+)$/, ({ tier, factor }) => `服务等级 ${tier} × ${factor}`],
  [
    /^(?<tool>\S+) (?<count>\d+) × (?<price>\S+) dollars per thousand$/,
    ({ tool, count, price }) => `${tool} ${count} 次，每千次 $${price}`,
  ],
];

/**
 * The text of a call's line with its notes in the reader's language. The price before them stays, clients read its figures; a note
 * that is none of ours stays too.
 */
export function callTextIn(language: Language, stored: string): string {
  if (language === 'en') return stored;
  const [price = '', ...notes] = stored.split('; ');
  return [price, ...notes.map(noteInChinese)].join('; ');
}

function noteInChinese(note: string): string {
  for (const [pattern, write] of NOTES_ZH) {
    const groups = pattern.exec(note)?.groups;
    if (groups !== undefined) return write(groups);
  }
  return note;
}

import type { Language } from '../../../common/language.js';

/** Causes in English, as the code that detects them words them, and the same in Chinese. */
const CAUSES_ZH: readonly (readonly [RegExp, string])[] = [
  [
    /^turns of the event loop were (\d+) ms late \(the latest (\d+) ms\)$/,
    '事件循环延迟 $1 毫秒（最长 $2 毫秒）',
  ],
  [/^SAFE_MODE is set$/, '已设置 SAFE_MODE'],
  [
    /^the spool in DATA_DIR cannot be written, or its disk is nearly full$/,
    'DATA_DIR 中的本地队列无法写入，或磁盘将满',
  ],
  [
    /^so many charges wait for the database that no paid call is taken$/,
    '等待写入数据库的费用过多，暂不接受付费调用',
  ],
  [/^the oldest charge waits longer than (\d+) s$/, '最早的一笔费用等待超过 $1 秒'],
  [/^no answer within (\d+) s$/, '$1 秒内没有响应'],
  [/^an answer took more than (\d+) ms$/, '响应超过 $1 毫秒'],
  [/^it is (\d+) s behind the database's$/, '比数据库慢 $1 秒'],
  [/^it is (\d+) s ahead of the database's$/, '比数据库快 $1 秒'],
  [/^it is (\d+) s behind Redis's$/, '比 Redis 慢 $1 秒'],
  [/^it is (\d+) s ahead of Redis's$/, '比 Redis 快 $1 秒'],
  [/^it is the database of another installation$/, '这是另一套部署的数据库'],
  [/^it is older than what an operator accepted$/, '它早于管理员确认过的状态'],
  [/^the options are of revision (\d+), after revision (\d+)$/, '选项版本为 $1，此前已到 $2'],
  [/^the channels are of revision (\d+), after revision (\d+)$/, '渠道版本为 $1，此前已到 $2'],
  [/^row (\d+) of the audit log is gone$/, '审计日志第 $1 行已消失'],
  [/^row (\d+) of the ledger is gone$/, '账本第 $1 行已消失'],
  [/^the booking of call (\S+) is gone$/, '调用 $1 的入账记录已消失'],
  [
    /^its file is gone, and what is written now is lost at the next start$/,
    '数据库文件已消失，现在写入的数据将在下次启动时丢失',
  ],
  [
    /^another file took its place, and what is written now is lost at the next start$/,
    '数据库文件已被替换，现在写入的数据将在下次启动时丢失',
  ],
  [/^stored options that cannot be used: (.+)$/, '无法使用的已存选项：$1'],
  [/^a change was announced and could not be read: (.+)$/, '收到变更通知但无法读取：$1'],
];

/** A cause of a degraded mode in a language. Messages of a database or of Redis stay unchanged. */
export function causeText(cause: string, language: Language): string {
  return language === 'zh' ? cause.split('; ').map(inChinese).join('；') : cause;
}

function inChinese(cause: string): string {
  const known = CAUSES_ZH.find(([pattern]) => pattern.test(cause));
  return known === undefined ? cause : cause.replace(...known);
}

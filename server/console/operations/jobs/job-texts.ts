import type { Language } from '../../../common/language.js';

export interface JobTexts {
  /** A few words. */
  readonly title: string;
  /** Description, one sentence. */
  readonly description: string;
}

type Row = Readonly<Record<Language, readonly [title: string, description: string]>>;

/** Jobs that exactly one worker runs, by the name in the table `jobs`. */
const JOB_ROWS: Readonly<Record<string, Row>> = {
  alerts: {
    en: [
      'Watch the installation',
      'Applies the alert rules and notifies the recipients of new and resolved problems.',
    ],
    zh: ['监测运行状况', '按告警规则检查，并将新出现和已结束的问题通知接收人。'],
  },
  'audit-upkeep': {
    en: [
      'Verify the audit log',
      'Follows the chain of the audit log, and removes what is older than the settings keep.',
    ],
    zh: ['校验审计日志', '校验审计日志的链条，并删除超过保留期限的记录。'],
  },
  import: {
    en: [
      'Import from another gateway',
      'One run of an import: started from Settings → Import, or with npm run import.',
    ],
    zh: ['从其他网关导入', '一次导入，由“设置 → 导入”或 npm run import 启动。'],
  },
  'limit-warnings': {
    en: [
      'Warn of limits',
      'Notifies the accounts concerned when the use of a limit reaches a share of its amount.',
    ],
    zh: ['限额提醒', '当限额使用量达到设定比例时，通知相关账户。'],
  },
  'books-check': {
    en: [
      'Check the books',
      'Compares balances, charges and ledger while calls run; differences are on the status page.',
    ],
    zh: ['核对账目', '在调用进行时核对余额、费用与账本；差异显示在运行状态页。'],
  },
  'channel-balance': {
    en: [
      'Read channel balances',
      'Asks the providers for the balance of every enabled channel. Started from the list of channels.',
    ],
    zh: ['查询渠道余额', '向服务商查询每个已启用渠道的余额，在渠道列表中启动。'],
  },
  'channel-test': {
    en: [
      'Test channels',
      'One run of the channel tests: started from the list of channels, or by the schedule.',
    ],
    zh: ['测试渠道', '一轮渠道测试，由渠道列表或定时设置启动。'],
  },
  'channel-test-turn': {
    en: ['Start channel tests', 'Begins a run of the channel tests as often as the settings say.'],
    zh: ['启动渠道测试', '按设置的间隔启动一轮渠道测试。'],
  },
  'closed-reservations': {
    en: ['Remove ended reservations', 'Deletes rows of reserved quota that ended long ago.'],
    zh: ['清理已结束的预留额度', '删除早已结束的预留额度记录。'],
  },
  'deleted-channels': {
    en: [
      'Remove keys of deleted channels',
      'Removes the sealed keys of channels that were deleted 30 days ago.',
    ],
    zh: ['清除已删除渠道的密钥', '清除 30 天前删除的渠道所保存的加密密钥。'],
  },
  'deleted-codes': {
    en: ['Remove deleted redemption codes', 'Removes unused codes that were deleted 30 days ago.'],
    zh: ['清除已删除的兑换码', '清除 30 天前删除的未使用兑换码。'],
  },
  'deleted-tokens': {
    en: [
      'Remove keys of deleted tokens',
      'Removes the sealed keys of API tokens that were deleted 30 days ago.',
    ],
    zh: ['清除已删除令牌的密钥', '清除 30 天前删除的令牌所保存的加密密钥。'],
  },
  'deregistered-sweep': {
    en: [
      'Clear deregistered accounts',
      'Removes what is personal from accounts that were deregistered 30 days ago.',
    ],
    zh: ['清理已注销账户', '清除注销满 30 天的账户中的个人信息。'],
  },
  'drawing-poll': {
    en: ['Ask about drawings', 'Asks the providers for the progress of unfinished drawings.'],
    zh: ['查询绘图进度', '向服务商查询未完成绘图的进度。'],
  },
  'limit-retention': {
    en: [
      'Remove limits of deleted subjects',
      'Deletes limits of deleted accounts, API tokens and channels, and old use of end users and tags.',
    ],
    zh: ['清理已删除对象的限额', '删除已删除账户、API 令牌和渠道的限额，以及最终用户与标签的过期用量。'],
  },
  'log-retention': {
    en: ['Remove old log lines', 'Deletes calls and failures that are older than the settings keep.'],
    zh: ['清理旧日志', '删除超过保留期限的调用与失败日志。'],
  },
  'order-watch': {
    en: ['Ask about open orders', 'Asks the payment services for the result of open orders.'],
    zh: ['查询未完成订单', '向支付平台查询未完成订单的结果。'],
  },
  'redemption-log': {
    en: [
      'Complete the log of codes',
      'Writes log lines of redeemed codes that could not be written at the time.',
    ],
    zh: ['补全兑换日志', '补写当时未能写入的兑换码日志。'],
  },
  'refund-totals': {
    en: [
      'Count refunds',
      'Corrects the refunded quota of accounts and tokens where an older version booked a refund during an upgrade.',
    ],
    zh: ['统计退还额度', '升级期间旧版本记入退还时，更正账户和令牌的已退还额度。'],
  },
  'session-sweep': {
    en: ['Remove expired logins', 'Deletes expired sessions and unfinished login steps.'],
    zh: ['清理过期登录', '删除已过期的会话和未完成的登录步骤。'],
  },
  'stored-ids': {
    en: [
      'Remove old ids of stored objects',
      'Deletes ids of responses, files and caches that were issued long ago.',
    ],
    zh: ['清理过期的存储对象 ID', '删除早前发放的响应、文件和缓存的 ID。'],
  },
  'statistics-retention': {
    en: [
      'Remove old sums of attempts',
      'Deletes sums of attempts by channel and model that are older than the settings keep.',
    ],
    zh: ['清理旧的尝试汇总', '删除超过保留期限的渠道与模型尝试汇总。'],
  },
  'use-retention': {
    en: [
      'Remove old sums of use',
      'Deletes sums of charges by token, channel, tag and end user that are older than the settings keep.',
    ],
    zh: ['清理旧的用量汇总', '删除超过保留期限的令牌、渠道、标签与最终用户用量汇总。'],
  },
  'weekly-emails': {
    en: [
      'Send weekly summaries',
      'Sends the weekly email to accounts that turned it on, each on its own Monday.',
    ],
    zh: ['发送每周邮件', '向开启了每周邮件的账户发送上周用量摘要，按各账户时区在周一发送。'],
  },
  'task-log': {
    en: [
      'Complete the log of failed tasks',
      'Writes log lines of failed drawings and songs that could not be written at the time.',
    ],
    zh: ['补全失败任务日志', '补写当时未能写入的失败绘图与歌曲日志。'],
  },
  'task-poll': {
    en: ['Ask about tasks', 'Asks the providers for the progress of unfinished songs and videos.'],
    zh: ['查询任务进度', '向服务商查询未完成歌曲和视频的进度。'],
  },
};

/** Jobs that every worker runs, by the name in SchedulerRegistry. */
const INTERVAL_ROWS: Readonly<Record<string, Row>> = {
  'channel-limit-parts': {
    en: [
      'Return parts of channel limits',
      'Gives back parts of limits that this worker leased and does not use.',
    ],
    zh: ['归还渠道限额份额', '归还该进程租用但未使用的限额份额。'],
  },
  'channel-limit-reaper': {
    en: [
      'Free parts of stopped workers',
      'Frees parts of channel limits that workers held when they stopped.',
    ],
    zh: ['释放已停止进程的份额', '释放已停止进程仍占用的渠道限额份额。'],
  },
  'limits-clock': {
    en: [
      'Clock of limits',
      "Compares this worker's clock with the database's, which decides the period of a call.",
    ],
    zh: ['限额时钟', '将该进程的时钟与数据库时钟对照，调用所属周期以数据库时钟为准。'],
  },
  'alert-job-alarm': {
    en: ['Watch the alert job', 'Notifies the recipients when the alert job itself fails or stalls.'],
    zh: ['监测告警任务', '告警任务失败或停滞时通知接收人。'],
  },
  clock: {
    en: [
      'Compare the clock',
      'Measures how far this machine’s clock is from that of the database and of Redis.',
    ],
    zh: ['比对时钟', '测量本机与数据库、Redis 的时钟差。'],
  },
  'clock-steps': {
    en: [
      'Notice a clock that was set',
      'Checks whether the clock of this machine was set, and compares it again.',
    ],
    zh: ['检测时钟调整', '检查本机时钟是否被调整，必要时重新比对。'],
  },
  'closed-callers': {
    en: [
      'End calls of disabled tokens',
      'Ends running calls of API tokens and accounts that were disabled, banned or deleted.',
    ],
    zh: ['中止已禁用令牌的调用', '中止已禁用、封禁或删除的令牌与账户正在进行的调用。'],
  },
  'database-alarm': {
    en: ['Watch the database', 'Notifies the recipients directly when the database does not answer.'],
    zh: ['监测数据库', '数据库无响应时直接通知接收人。'],
  },
  dependencies: {
    en: [
      'Watch database and Redis',
      'Asks both whether they answer, and enters or leaves the degraded modes.',
    ],
    zh: ['检查数据库与 Redis', '检查两者是否响应，并进入或退出降级模式。'],
  },
  'finished-spools': {
    en: [
      'Remove booked spool files',
      'Deletes spool files whose charges are all booked, once they are old or the disk is short of room.',
    ],
    zh: ['清理已入账的队列文件', '当文件过旧或磁盘空间不足时，删除费用已全部入账的本地队列文件。'],
  },
  history: {
    en: ['Notice a replaced database', 'Checks that rows seen before are still in the database.'],
    zh: ['检测数据库回退', '检查已出现过的数据是否仍在数据库中。'],
  },
  jobs: {
    en: ['Look for due jobs', 'Takes jobs that are due and that no other worker has.'],
    zh: ['查找到期任务', '领取已到期且没有其他进程执行的任务。'],
  },
  'import-uploads': {
    en: [
      'Remove old import files',
      'Deletes an uploaded database or log file here that was withdrawn or is more than a day old.',
    ],
    zh: ['清理旧的导入文件', '删除本实例上已撤回或超过一天的导入文件。'],
  },
  'live-workers': {
    en: ['Count the workers', 'Counts live workers, to share limits among them while Redis is unavailable.'],
    zh: ['统计工作进程', '查看存活的工作进程，以便在 Redis 不可用时分摊限流。'],
  },
  'money-modes': {
    en: ['Watch the spool', 'Reports charges that cannot be recorded or wait too long to be booked.'],
    zh: ['监测本地队列', '费用无法记录或入账过慢时给出提示。'],
  },
  'quota-watch': {
    en: ['Warn of low balances', 'Checks accounts that were charged, and warns those below their threshold.'],
    zh: ['余额预警', '检查刚扣费的账户，低于阈值时发出预警。'],
  },
  revisions: {
    en: [
      'Read changed settings',
      'Checks for changes of settings, prices and channels that did not reach this worker.',
    ],
    zh: ['读取设置变更', '检查未收到通知的设置、价格与渠道变更。'],
  },
  'worker-report': {
    en: ['Report to the status page', 'Says how this worker is, through Redis and the database.'],
    zh: ['上报运行状况', '通过 Redis 和数据库上报本进程的运行情况。'],
  },
};

/** A name this version has no words for stands for itself. */
export const jobTexts = (name: string, language: Language): JobTexts => textsOf(JOB_ROWS, name, language);

/** The same of what every worker does by itself. */
export const intervalTexts = (name: string, language: Language): JobTexts =>
  textsOf(INTERVAL_ROWS, name, language);

function textsOf(rows: Readonly<Record<string, Row>>, name: string, language: Language): JobTexts {
  const [title, description] = rows[name]?.[language] ?? [name, ''];
  return { title, description };
}

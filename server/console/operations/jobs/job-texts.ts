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
      'Applies the alert rules and tells the receivers what began and what is over.',
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
  'deregistered-sweep': {
    en: [
      'Clear deregistered accounts',
      'Removes what is personal from accounts that were deregistered 30 days ago.',
    ],
    zh: ['清理已注销账户', '清除注销满 30 天的账户中的个人信息。'],
  },
  'drawing-poll': {
    en: ['Ask about drawings', 'Asks the upstreams how far unfinished drawings are.'],
    zh: ['查询绘图进度', '向上游查询未完成绘图的进度。'],
  },
  'log-retention': {
    en: ['Remove old log lines', 'Deletes calls and failures that are older than the settings keep.'],
    zh: ['清理旧日志', '删除超过保留期限的调用与失败日志。'],
  },
  'order-watch': {
    en: ['Ask about open orders', 'Asks the payment providers what became of orders that are still open.'],
    zh: ['查询未完成订单', '向支付服务商查询未完成订单的结果。'],
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
    en: [
      'Remove expired logins',
      'Deletes sessions that are over, and steps of signing in that nobody finished.',
    ],
    zh: ['清理过期登录', '删除已过期的会话和未完成的登录步骤。'],
  },
  'stored-ids': {
    en: [
      'Forget old ids of stored things',
      'Deletes ids of responses, files and caches that were handed out long ago.',
    ],
    zh: ['清理过期的存储对象 ID', '删除早前发放的响应、文件和缓存的 ID。'],
  },
  'task-log': {
    en: [
      'Complete the log of failed tasks',
      'Writes log lines of failed drawings and songs that could not be written at the time.',
    ],
    zh: ['补全失败任务日志', '补写当时未能写入的失败绘图与歌曲日志。'],
  },
  'task-poll': {
    en: ['Ask about tasks', 'Asks the upstreams how far unfinished songs and videos are.'],
    zh: ['查询任务进度', '向上游查询未完成歌曲和视频的进度。'],
  },
};

/** Jobs that every worker runs, by the name in SchedulerRegistry. */
const INTERVAL_ROWS: Readonly<Record<string, Row>> = {
  'alert-job-alarm': {
    en: ['Watch the alert job', 'Tells the receivers when the alert job itself fails or stands still.'],
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
      'Looks whether somebody set the clock of this machine, and compares it again.',
    ],
    zh: ['检测时钟调整', '检查本机时钟是否被调整，必要时重新比对。'],
  },
  'closed-callers': {
    en: [
      'End calls of closed keys',
      'Ends what keys and accounts have running that were switched off, banned or deleted.',
    ],
    zh: ['中止已关闭密钥的调用', '中止已禁用、封禁或删除的令牌与账户正在进行的调用。'],
  },
  'database-alarm': {
    en: ['Watch the database', 'Tells the receivers directly when the database does not answer.'],
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
    en: ['Notice a replaced database', 'Looks whether rows that were seen of the database are still there.'],
    zh: ['检测数据库回退', '检查已出现过的数据是否仍在数据库中。'],
  },
  jobs: {
    en: ['Look for due jobs', 'Takes jobs that are due and that no other worker has.'],
    zh: ['查找到期任务', '领取已到期且没有其他进程执行的任务。'],
  },
  'live-workers': {
    en: ['Count the workers', 'Looks which workers live, to share limits among them while Redis is away.'],
    zh: ['统计工作进程', '查看存活的工作进程，以便在 Redis 不可用时分摊限流。'],
  },
  'money-modes': {
    en: ['Watch the spool', 'Says when charges cannot be recorded or wait too long to be booked.'],
    zh: ['监测本地队列', '费用无法记录或入账过慢时给出提示。'],
  },
  'quota-watch': {
    en: [
      'Warn of low balances',
      'Looks at accounts that were charged, and warns those below their threshold.',
    ],
    zh: ['余额预警', '检查刚扣费的账户，低于阈值时发出预警。'],
  },
  revisions: {
    en: [
      'Read changed settings',
      'Looks for changes of settings, prices and channels nobody told this worker of.',
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

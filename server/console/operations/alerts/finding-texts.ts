import type { Language } from '../../../common/language.js';
import { DEGRADED_MODES } from '../../../infra/observability/degraded-modes.js';
import { causeText } from './cause-texts.js';
import { failureText } from './failure-texts.js';
import { modeMeaning } from './mode-texts.js';
import { orderTexts } from './order-texts.js';
import type { Facts, Rule } from '../model/finding.js';

/** Text of a finding: the fault, and advice. It holds no times: they are shown beside it, in the reader's own zone. */
export interface FindingTexts {
  /** A few words: heading, subject of a mail. */
  readonly title: string;
  readonly sentence: string;
  readonly remedy: string;
}

type Words = (facts: Facts) => FindingTexts;
type RuleTexts = Readonly<Record<Language, Words>>;

/** `{name}` replaced by facts. */
const say =
  (title: string, sentence: string, remedy: string): Words =>
  (facts) => ({ title: fill(title, facts), sentence: fill(sentence, facts), remedy: fill(remedy, facts) });

const fill = (text: string, facts: Facts): string =>
  text.replace(/\{(\w+)\}/g, (mark, name: string) => String(facts[name] ?? mark));

const RULE_TEXTS: Readonly<Record<Rule, RuleTexts>> = {
  'instance-gone': {
    en: say(
      'Instance {instance} is gone',
      'Instance {instance} stopped reporting without having been shut down.',
      'Check that its machine and process run and can reach the database and Redis, then start it again. If it was removed on purpose, acknowledge this alert.',
    ),
    zh: say(
      '实例 {instance} 失联',
      '实例 {instance} 未经正常停止便不再上报。',
      '检查该机器与进程是否运行、能否访问数据库和 Redis，并重新启动。如果是有意移除，请确认此告警。',
    ),
  },
  'worker-gone': {
    en: say(
      'Worker {worker} is gone',
      'Worker {worker} (process {pid}) stopped reporting and was not replaced.',
      'The supervisor replaces workers within seconds. Check the log of that instance; restart it if the worker does not come back.',
    ),
    zh: say(
      '工作进程 {worker} 失联',
      '工作进程 {worker}（PID {pid}）不再上报，且没有新进程接替。',
      '监督进程通常会在数秒内替换。请查看该实例的日志；若未恢复请重启该实例。',
    ),
  },
  'worker-restarting': {
    en: say(
      'Worker {worker} keeps restarting',
      'Worker {worker} started {starts} times within {minutes} minutes.',
      'Its log shows the reason: memory, a program fault or an unusable configuration.',
    ),
    zh: say(
      '工作进程 {worker} 反复重启',
      '工作进程 {worker} 在 {minutes} 分钟内启动了 {starts} 次。',
      '查看其日志了解退出原因：内存不足、程序故障或无法使用的配置。',
    ),
  },
  'database-away': {
    en: say(
      'The database does not answer',
      'The database cannot be reached. Calls are served from quota that is already reserved, then refused; their charges are kept in the spool.',
      'Bring the database back. Nothing has to be repaired afterwards: the spool is booked automatically.',
    ),
    zh: say(
      '数据库无响应',
      '无法访问数据库。调用暂由已预留的额度支撑，用尽后拒绝；费用保存在本地队列中。',
      '恢复数据库即可。之后无需修复：本地队列会自动入账。',
    ),
  },
  'degraded-mode': {
    en: (facts) => ({
      title: `Degraded: ${facts['mode']}`,
      sentence: fill(`${capital(meaning(facts, 'en'))}. Seen by {workers}: {cause}.`, facts),
      remedy:
        facts['mode'] === 'database-behind'
          ? 'Find out what happened to the database. Stop all instances, restore it and run npm run restore:finish; or accept the loss here as root, or with npm run history:accept.'
          : 'Remove the cause; the mode ends automatically.',
    }),
    zh: (facts) => ({
      // The part before the colon names the mode, the part after it the consequence.
      title: `降级运行：${meaning(facts, 'zh').split('：', 1)[0]}`,
      sentence: fill(`${meaning(facts, 'zh')}。发现于 {workers}：{cause}`, {
        ...facts,
        cause: causeText(String(facts['cause'] ?? ''), 'zh'),
      }),
      remedy:
        facts['mode'] === 'database-behind'
          ? '查明数据库发生了什么。停止所有实例，恢复数据库后运行 npm run restore:finish；或由超级管理员在此确认接受损失，也可运行 npm run history:accept。'
          : '消除原因后会自动恢复。',
    }),
  },
  'breaker-open': {
    en: (facts) =>
      facts['kind'] === 'channel'
        ? say(
            'Channel {name} is paused',
            `Calls to channel {name} kept failing, so other channels are used instead. Seen by {workers}.${newest(facts, 'en')}`,
            'Test the channel; its key, balance or address may be at fault. From time to time one call tries it again.',
          )(facts)
        : say(
            'Circuit breaker of {name} is open',
            '{name} failed or was too slow several times in a row and is not used for now. Seen by {workers}.',
            'Check that service and the network in between. The breaker closes automatically.',
          )(facts),
    zh: (facts) =>
      facts['kind'] === 'channel'
        ? say(
            '渠道 {name} 暂停使用',
            `对渠道 {name} 的调用接连失败，已改用其他渠道。发现于 {workers}。${newest(facts, 'zh')}`,
            '请测试该渠道，可能是密钥、余额或地址有问题。系统会不时放行一次调用进行试探。',
          )(facts)
        : say(
            '{name} 熔断中',
            '{name} 连续失败或过慢，暂不访问。发现于 {workers}。',
            '检查该服务及其间的网络。熔断会自动恢复。',
          )(facts),
  },
  'event-loop': {
    en: say(
      'Worker {worker} is overloaded',
      'The event loop of worker {worker} was blocked for {milliseconds} ms (limit {limit} ms): all its requests wait that long.',
      'Add workers or instances, or find the cause: very large requests, or a machine without free CPU.',
    ),
    zh: say(
      '工作进程 {worker} 过载',
      '工作进程 {worker} 的事件循环阻塞了 {milliseconds} 毫秒（上限 {limit} 毫秒），其所有请求都要等待。',
      '增加工作进程或实例，或查找阻塞原因：超大请求、机器 CPU 不足。',
    ),
  },
  'clock-skew': {
    en: say(
      'The clock of {instance} is off',
      'The clock of instance {instance} differs from the database’s by {seconds} s.',
      'Turn on time synchronization (NTP) on both machines. Expiry is judged by the database’s time; above 30 s the instance is not ready.',
    ),
    zh: say(
      '{instance} 的时钟有偏差',
      '实例 {instance} 与数据库的时钟相差 {seconds} 秒。',
      '在两台机器上启用时间同步（NTP）。有效期按数据库时间判断；偏差超过 30 秒时该实例不再就绪。',
    ),
  },
  'revision-differs': {
    en: say(
      'Not all workers have the newest settings',
      'The newest revision is {newest}; {workers} still work with {revisions}.',
      'Check their logs for a value that could not be used. Undo the change in the settings, or restart them.',
    ),
    zh: say(
      '部分工作进程未使用最新设置',
      '最新版本为 {newest}，{workers} 仍在使用 {revisions}。',
      '查看其日志中无法使用的设置值；在设置中回滚该更改，或重启这些进程。',
    ),
  },
  'version-differs': {
    en: say(
      'Instances run different versions',
      'Versions {versions} run side by side.',
      'This is normal during an upgrade. Finish it.',
    ),
    zh: say('实例版本不一致', '同时运行着 {versions} 版本。', '升级过程中属正常现象，请完成升级。'),
  },
  'spool-old': {
    en: say(
      'Charges wait in the spool of {worker}',
      'The oldest of {records} unbooked charges of worker {worker} has waited for {seconds} s (limit {limit} s). Nothing is lost, but balances are behind.',
      'Check that the database answers, and the log of that worker for booking errors.',
    ),
    zh: say(
      '{worker} 有费用积压',
      '工作进程 {worker} 有 {records} 笔费用尚未入账，最早的已等待 {seconds} 秒（上限 {limit} 秒）。数据不会丢失，但余额更新滞后。',
      '检查数据库是否响应，并查看该进程日志中的入账信息。',
    ),
  },
  'settlement-lag': {
    en: say(
      'Charges are booked late',
      'Worker {worker} books charges {seconds} s after the call (limit {limit} s).',
      'The database is slower than the calls need: check its load and the latency on the status page.',
    ),
    zh: say(
      '入账延迟',
      '工作进程 {worker} 在调用结束 {seconds} 秒后才入账（上限 {limit} 秒）。',
      '数据库速度跟不上：请检查其负载及运行状态页显示的延迟。',
    ),
  },
  writeoffs: {
    en: say(
      'Usage that could not be charged',
      'Calls of the last hour used {quota} quota more than their accounts had (limit {limit}).',
      'Check the lines with an uncharged part in the usage log; raise the assumed output tokens if estimates are too low.',
    ),
    zh: say(
      '存在无法收取的费用',
      '最近一小时的调用比账户余额多用了 {quota} 额度（上限 {limit}）。',
      '在使用日志中查看未扣除的记录；若预估过低，请提高预扣费额度。',
    ),
  },
  'bounded-reports': {
    en: say(
      'A channel reports more than its requests allow',
      'Channel {channel} reported more tokens than the request allows for {bounded} of {calls} calls of the last hour ({percent} %). They were charged up to that limit, not as reported.',
      'Compare the lines with the evidence “Reported usage capped” in the usage log with the provider’s invoice. Do not use a provider with false reports; one that counts reasoning outside its output cap has to be listed as such.',
    ),
    zh: say(
      '渠道报告的用量超过请求所允许的量',
      '最近一小时渠道 {channel} 的 {calls} 次调用中有 {bounded} 次（{percent}%）报告的 Token 数超过请求所允许的量。这些调用按上限收费，而非按报告收费。',
      '请将使用日志中依据为“服务商报告超限，按上限收费”的记录与服务商账单核对。报告不实的服务商不应继续使用；若服务商的推理不计入输出上限，则应列入相应名单。',
    ),
  },
  overruns: {
    en: say(
      'Charges above the reservation',
      'Calls of the last hour charged above their reservation: {calls}, by {quota} quota in total. Their providers generated more than the request allowed, or counted more prompt tokens than estimated.',
      'Their lines in the usage log show it, with model and channel. Check that the channel respects output caps and, for prompts, that the model name is priced as the model that answers.',
    ),
    zh: say(
      '收费超过预留额度',
      '最近一小时有 {calls} 次调用的收费比预留多 {quota} 额度：服务商产出超过请求所允许的量，或读取的内容多于对提示词的估计。',
      '使用日志中的相应记录会注明，并附模型与渠道。请检查该渠道是否遵守输出上限，以及模型名称的定价是否与实际应答的模型一致。',
    ),
  },
  'books-differ': {
    en: say(
      'The ledger differs',
      'Differences between balances and ledger found by the daily check: {differences}.',
      'Run npm run money:check for the list. Nothing is corrected automatically; make a backup before you correct anything.',
    ),
    zh: say(
      '账目不符',
      '每日检查发现余额与其构成之间有 {differences} 处差异。',
      '运行 npm run money:check 查看明细。系统不会自动更正；手工更正前请先备份。',
    ),
  },
  'order-mismatch': {
    en: (facts) => say(...orderTexts(facts['kind'], 'en'))(facts),
    zh: (facts) => say(...orderTexts(facts['kind'], 'zh'))(facts),
  },
  'error-rate': {
    en: say(
      '{percent} % of calls fail',
      '{errors} of {calls} calls of the last five minutes failed without being the caller’s fault (limit {limit} %).',
      'Filter the usage log by errors for the channels and models; the health of the channels shows since when.',
    ),
    zh: say(
      '{percent}% 的调用失败',
      '最近五分钟的 {calls} 次调用中有 {errors} 次非调用方原因失败（上限 {limit}%）。',
      '在使用日志中按错误筛选，查看涉及的渠道和模型；渠道健康状况可看出起始时间。',
    ),
  },
  'channel-failing': {
    en: (facts) =>
      say(
        'Channel {channel} fails {percent} % of its attempts',
        `{failures} of {attempts} attempts at channel {channel} failed within the last half hour (limit {limit} %). Other channels may have answered the calls.${newest(facts, 'en')}`,
        'Open the channel’s page for reasons and models. Test the channel, and correct its key, balance or address; disable it while the provider has problems.',
      )(facts),
    zh: (facts) =>
      say(
        '渠道 {channel} 有 {percent}% 的尝试失败',
        `最近半小时内，对渠道 {channel} 的 {attempts} 次尝试中有 {failures} 次失败（上限 {limit}%）。这些调用可能已由其他渠道应答。${newest(facts, 'zh')}`,
        '在渠道页面查看原因和模型。请测试该渠道，修正密钥、余额或地址；若是服务商的问题，可先停用该渠道。',
      )(facts),
  },
  'model-out': {
    en: say(
      'No channel serves {model}',
      'Every channel of the model {model} was disabled automatically: calls to it are refused.',
      'Test its channels, repair or replace them, and enable one.',
    ),
    zh: say(
      '模型 {model} 无可用渠道',
      '模型 {model} 的所有渠道都已被自动禁用，对它的调用会被拒绝。',
      '测试这些渠道，修复或更换后启用其中之一。',
    ),
  },
  'channel-balance': {
    en: say(
      'Channel {channel} has a low balance',
      'Channel {channel} (#{channelId}) has {balance} left at its provider (limit {limit}).',
      'Top up the account at the provider, then update the balance.',
    ),
    zh: say(
      '渠道 {channel} 余额不足',
      '渠道 {channel}（#{channelId}）在服务商处的余额为 {balance}（下限 {limit}）。',
      '在服务商处充值后更新余额。',
    ),
  },
  'mail-failing': {
    en: (facts) =>
      facts['kind'] === 'unproven'
        ? say(
            'Untested mail settings',
            'Registration needs a code sent by email, and no email has been sent with the current settings.',
            'Send a test email in the settings.',
          )(facts)
        : say(
            'Emails cannot be sent',
            'Emails not sent since the last successful one: {failures}. Newest failure: {fault}.',
            'Correct the mail settings or the mail server, then send a test email in the settings: the alert ends with the next email that is sent. Lost codes and links have to be requested again.',
          )(facts),
    zh: (facts) =>
      facts['kind'] === 'unproven'
        ? say(
            '邮件设置未经测试',
            '注册需要邮箱验证码，但尚未用当前的邮件设置成功发送过邮件。',
            '请在设置中发送测试邮件。',
          )(facts)
        : say(
            '邮件无法发送',
            '自上次成功发送以来有 {failures} 封邮件未能发出，最近一次的原因：{fault}。',
            '请修正邮件设置或邮件服务器，然后在设置中发送测试邮件；下一封邮件成功发出后此告警自动结束。丢失的验证码和链接需重新获取。',
          )(facts),
  },
  'job-failed': {
    en: say(
      'The job {job} fails',
      'The job {job} failed: {fault}.',
      'It is tried again at its next run. If it keeps failing, see the log of the worker that ran it.',
    ),
    zh: say(
      '任务 {job} 失败',
      '任务 {job} 出错：{fault}。',
      '下个周期会自动重试。若持续失败，请查看执行它的工作进程日志。',
    ),
  },
};

/** A finding in the words of a language. */
export function findingText(rule: Rule, facts: Facts, language: Language): FindingTexts {
  return RULE_TEXTS[rule][language](facts);
}

function meaning(facts: Facts, language: Language): string {
  const mode = String(facts['mode']);
  return modeMeaning(mode, language) ?? (DEGRADED_MODES as Readonly<Record<string, string>>)[mode] ?? mode;
}

/** The newest failure as a sentence of its own, after a space where the language has one; empty = none is known. */
function newest(facts: Facts, language: Language): string {
  const text = failureText(facts, language).replace(/[{}]/g, '');
  if (text === '') return '';
  return language === 'en' ? ` Newest failure: ${text}` : `最近一次失败：${text}`;
}

const capital = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

import { groupLimitMap } from '../option-documents.js';
import { flag, integer, json, lines, timeZone } from '../option-kinds.js';

/** Handling of calls: retries, the word filter, the log, rate limits, drawings. */
export const CALL_OPTIONS = {
  RetryTimes: integer(
    0,
    { min: 0, max: 5 },
    {
      tab: 'operation',
      heading: 'general',
      section: 'channels',
      help: 'Further attempts on other channels after a failure.',
    },
  ),
  AbandonedReadSeconds: integer(
    15,
    { min: 0, max: 600 },
    {
      tab: 'operation',
      heading: 'general',
      section: 'channels',
      help: 'Seconds a reply is read on after its client left, for the report of what it cost; 0 = it is stopped at once and charged by estimate. Only where the received part has no report of use.',
    },
  ),
  DrawingEnabled: flag(true, {
    tab: 'operation',
    heading: 'drawing',
    section: 'display',
    class: 'public',
    help: 'Show the drawing log.',
  }),
  MjNotifyEnabled: flag(false, {
    tab: 'operation',
    heading: 'drawing',
    section: 'calls',
    class: 'public',
    help: 'Callers may pass a callback address upstream (reveals the server address).',
  }),
  MjAccountFilterEnabled: flag(false, {
    tab: 'operation',
    heading: 'drawing',
    section: 'calls',
    help: 'Callers may pass the drawing account filter.',
  }),
  MjForwardUrlEnabled: flag(true, {
    tab: 'operation',
    heading: 'drawing',
    section: 'calls',
    help: 'Replace image addresses of the drawing provider by our own.',
  }),
  MjModeClearEnabled: flag(false, {
    tab: 'operation',
    heading: 'drawing',
    section: 'calls',
    help: 'Remove --fast, --relax and --turbo from drawing prompts.',
  }),
  MjActionCheckSuccessEnabled: flag(true, {
    tab: 'operation',
    heading: 'drawing',
    section: 'calls',
    help: 'Follow-up drawing actions need a finished drawing.',
  }),
  CheckSensitiveEnabled: flag(true, {
    tab: 'operation',
    heading: 'words',
    section: 'calls',
    help: 'Word filter.',
  }),
  CheckSensitiveOnPromptEnabled: flag(true, {
    tab: 'operation',
    heading: 'words',
    section: 'calls',
    help: 'The word filter looks at prompts.',
  }),
  SensitiveWords: lines([], {
    tab: 'operation',
    heading: 'words',
    section: 'calls',
    help: 'Words the filter refuses, one per line.',
  }),
  StreamCacheQueueLength: integer(
    0,
    { min: 0, max: 1_000_000 },
    {
      tab: 'none',
      section: 'calls',
      help: 'Kept for older consoles, which save it with their tab: streams are passed on as they come, without a queue.',
    },
  ),
  LogConsumeEnabled: flag(true, {
    tab: 'operation',
    heading: 'log',
    section: 'log',
    help: 'Write a usage log line per call. Charges are recorded either way.',
  }),
  StatisticsDays: integer(
    90,
    { min: 1, max: 3_650 },
    {
      tab: 'operation',
      heading: 'log',
      section: 'log',
      help: 'Days that attempts by channel and model, and charges by token, channel, tag and end user, stay summed.',
    },
  ),
  TagValuesPerDay: integer(
    1_000,
    { min: 0, max: 100_000 },
    {
      tab: 'operation',
      heading: 'log',
      section: 'log',
      help: 'Distinct tags, and distinct end users, that an account has sums of on one day. More of them are summed as other.',
    },
  ),
  LogRetentionDays: integer(
    0,
    { min: 0, max: 36_500 },
    {
      tab: 'operation',
      heading: 'log',
      section: 'log',
      help: 'Calls and failures leave the log after this many days; 0 = they stay.',
    },
  ),
  LimitTimeZone: timeZone({
    tab: 'ratelimit',
    heading: 'limit',
    section: 'limits',
    help: 'Time zone (IANA name) in which periods of limits start. A change holds from the next period.',
  }),
  ModelRequestRateLimitEnabled: flag(false, {
    tab: 'ratelimit',
    heading: 'limit',
    section: 'limits',
    help: 'Limit model requests per user.',
  }),
  ModelRequestRateLimitDurationMinutes: integer(
    1,
    { min: 0, max: 43_200 },
    {
      tab: 'ratelimit',
      heading: 'limit',
      section: 'limits',
      help: 'Length of the period in minutes; 0 = no limit.',
    },
  ),
  ModelRequestRateLimitCount: integer(
    0,
    { min: 0, max: 2_147_483_647 },
    {
      tab: 'ratelimit',
      heading: 'limit',
      section: 'limits',
      help: 'Requests per period, failures included; 0 = no limit.',
    },
  ),
  ModelRequestRateLimitSuccessCount: integer(
    1_000,
    { min: 1, max: 2_147_483_647 },
    { tab: 'ratelimit', heading: 'limit', section: 'limits', help: 'Successful requests per period.' },
  ),
  ModelRequestRateLimitGroup: json(
    {},
    groupLimitMap,
    'a JSON object of groups to [requests, successful requests]',
    {
      tab: 'ratelimit',
      heading: 'limit',
      section: 'limits',
      help: 'Limits of a group instead of the general ones.',
    },
  ),
} as const satisfies Record<string, unknown>;

import { ALERT_RULES } from '../alert-rules.js';
import { choice, commaList, decimal, encryptedEndpoint, flag, integer, secret } from '../option-kinds.js';

const MAIL_ADDRESS = /^[^\s@,]{1,64}@[^\s@,]{1,190}$/;
const tab = 'system';
const heading = 'alerts';
const section = 'alerts';

/** Alerts: recipients and thresholds. */
export const ALERT_OPTIONS = {
  AlertsEnabled: flag(true, {
    tab,
    heading,
    section,
    help: 'Tell somebody when something is wrong with the installation.',
  }),
  AlertMailReceivers: commaList([], MAIL_ADDRESS, {
    tab,
    heading,
    section,
    help: 'Mail addresses that get alerts. Empty, and without a webhook: every root account, by the way it chose.',
  }),
  AlertWebhookUrl: encryptedEndpoint({
    calledAs: 'service',
    tab,
    heading,
    section,
    class: 'security',
    isRootsToRead: true,
    help: 'Address that gets alerts as a signed POST; https only, outside private networks unless allowed.',
  }),
  AlertWebhookSecret: secret({ tab, heading, section, help: 'Signs those calls.' }),
  AlertLanguage: choice(['en', 'zh'], {
    tab,
    heading,
    section,
    help: 'Language of alerts to mail addresses and the webhook.',
  }),
  // A rule of a later version may be among them.
  AlertRulesOff: commaList([], /^[a-z]+(-[a-z]+)*$/, {
    choices: ALERT_RULES,
    tab,
    heading,
    section,
    help: 'Rules without alerts; the status page still shows them.',
  }),
  AlertQuietMinutes: integer(
    15,
    { min: 1, max: 1_440 },
    {
      tab,
      heading,
      section,
      help: 'An alert that begins again within this time is not sent again until it has passed.',
    },
  ),
  AlertErrorRatePercent: decimal(
    2,
    { min: 0.1, max: 100 },
    {
      tab,
      heading,
      section,
      help: 'Share of calls that may fail over five minutes, without being the caller’s fault.',
    },
  ),
  AlertChannelFailurePercent: decimal(
    10,
    { min: 0, max: 100 },
    {
      tab,
      heading,
      section,
      help: 'Share of the attempts at a channel that may fail within a quarter of an hour, whether or not another channel answers; 0 = not watched.',
    },
  ),
  AlertSpoolAgeSeconds: integer(
    300,
    { min: 10, max: 86_400 },
    { tab, heading, section, help: 'How long a charge may wait on the spool.' },
  ),
  AlertSettlementLagSeconds: integer(
    30,
    { min: 1, max: 3_600 },
    { tab, heading, section, help: 'How long after its call a charge may be booked.' },
  ),
  AlertEventLoopMs: integer(
    1_000,
    { min: 50, max: 60_000 },
    { tab, heading, section, help: 'How long a worker may be busy with one thing, in milliseconds.' },
  ),
  AlertChannelBalance: decimal(
    0,
    { min: 0, max: 1e9 },
    {
      tab,
      heading,
      section,
      help: 'Balance of a channel, in US dollars, below which an alert is sent; 0 = not watched.',
    },
  ),
  AlertWriteoffQuota: integer(
    500_000,
    { min: 0, max: Number.MAX_SAFE_INTEGER },
    { tab, heading, section, help: 'Quota used within an hour that could not be charged; 0 = not watched.' },
  ),
} as const satisfies Record<string, unknown>;

import type { OptionField } from './option-field-types';

const alerts = { tab: 'system', heading: 'alerts', needs: 'alertsEnabled' } as const;

/** Who is told what is wrong with the installation, and from where on. */
export const ALERT_FIELDS: readonly OptionField[] = [
  { tab: 'system', heading: 'alerts', id: 'alertsEnabled', key: 'AlertsEnabled', kind: 'flag' },
  { ...alerts, id: 'alertMails', key: 'AlertMailReceivers', kind: 'text' },
  { ...alerts, id: 'alertWebhook', key: 'AlertWebhookUrl', kind: 'endpoint' },
  { ...alerts, id: 'alertWebhookSecret', key: 'AlertWebhookSecret', kind: 'secret' },
  { ...alerts, id: 'alertLanguage', key: 'AlertLanguage', kind: 'choice', words: 'language' },
  {
    ...alerts,
    id: 'alertQuiet',
    key: 'AlertQuietMinutes',
    kind: 'integer',
    min: 1,
    max: 1_440,
    unit: 'minutes',
  },
  {
    ...alerts,
    id: 'alertErrorRate',
    key: 'AlertErrorRatePercent',
    kind: 'number',
    min: 0.1,
    max: 100,
    unit: 'percent',
  },
  {
    ...alerts,
    id: 'alertSpoolAge',
    key: 'AlertSpoolAgeSeconds',
    kind: 'integer',
    min: 10,
    max: 86_400,
    unit: 'seconds',
  },
  {
    ...alerts,
    id: 'alertSettlementLag',
    key: 'AlertSettlementLagSeconds',
    kind: 'integer',
    min: 1,
    max: 3_600,
    unit: 'seconds',
  },
  {
    ...alerts,
    id: 'alertEventLoop',
    key: 'AlertEventLoopMs',
    kind: 'integer',
    min: 50,
    max: 60_000,
    unit: 'milliseconds',
  },
  {
    ...alerts,
    id: 'alertChannelBalance',
    key: 'AlertChannelBalance',
    kind: 'number',
    min: 0,
    unit: 'dollars',
  },
  {
    ...alerts,
    id: 'alertWriteoffs',
    key: 'AlertWriteoffQuota',
    kind: 'integer',
    min: 0,
    unit: 'quota',
  },
  { ...alerts, id: 'alertRulesOff', key: 'AlertRulesOff', kind: 'rules' },
];

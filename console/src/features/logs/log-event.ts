import { moneyText } from '../../shared/money/order';
import type { LogLine } from './api';
import { detailsOf, type LogEvent } from '../../shared/receipt/log-details';

import type { LogTexts } from './use-log-texts';

/**
 * Text of an event in the reader's language; its amount is shown beside it (`movedBy`). Undefined for codes this console does not
 * know.
 */
export function eventText(event: LogEvent, username: string, words: LogTexts): string | undefined {
  const { t } = words;
  const id = event.channel_id ?? event.account_id ?? event.redemption_id;
  switch (event.code) {
    case 'redeemed':
      return t('logs.event.redeemed', { id });
    case 'paid':
      return t('logs.event.paid', {
        method: words.method(event.method ?? ''),
        paid: moneyText(event.paid ?? '', event.currency ?? ''),
      });
    case 'grant_new':
    case 'grant_invitee':
    case 'earnings_moved':
      return t(`logs.event.${event.code}`);
    case 'task_failed': {
      const platform = event.platform === 'suno' ? 'Suno' : 'Midjourney';
      const failed = t('logs.event.task_failed', { platform, id: event.task_id });
      return [failed, event.reason].filter(isSaid).join(' · ');
    }
    case 'grant_inviter':
      return t('logs.event.grant_inviter', { id });
    case 'channel.off':
    case 'channel.on':
    case 'channel.key_off':
    case 'channel.key_on': {
      const side = event.code.replace('channel.', '') as 'off' | 'on' | 'key_off' | 'key_on';
      return [t(`logs.event.channel.${side}`, { id }), event.reason].filter(isSaid).join(' · ');
    }
    default:
      return actText(event, username, words);
  }
}

function actText(event: LogEvent, username: string, words: LogTexts): string | undefined {
  const { t } = words;
  const name = words.action(event.code);
  if (name === undefined) return undefined;
  const { channel_ids: channels, copy_id: copy, count, before, operator } = event;
  const parts = [
    name,
    channels === undefined ? undefined : channels.map((each) => `#${each}`).join(', '),
    copy === undefined ? undefined : t('logs.event.copy', { id: copy }),
    isSaid(event.tag) ? t('logs.event.tag', { tag: event.tag }) : undefined,
    event.members?.map((member) => words.member(member)).join(', '),
    event.code === 'channel.tag-status' ? t(`logs.event.${event.status === 1 ? 'on' : 'off'}`) : undefined,
    count === undefined ? undefined : countText(event.code, count, words),
    before === undefined ? undefined : t('logs.event.olderThan', { when: words.moment(before) }),
    event.quota_after === undefined
      ? undefined
      : t('logs.event.balance', { balance: words.money(event.quota_after) }),
    backText(event, words),
    event.reason,
    isSaid(operator) && operator !== username ? t('logs.event.by', { operator }) : undefined,
  ];
  return parts.filter(isSaid).join(' · ');
}

function countText(code: string, count: number, { t }: LogTexts): string {
  return code === 'log.delete' ? t('logs.event.lines', { count }) : t('logs.event.channels', { count });
}

function backText({ side, version_id: version, revision }: LogEvent, { t }: LogTexts): string | undefined {
  if (side === undefined) return undefined;
  return version === undefined
    ? t(`logs.event.back.${side}Revision`, { number: revision })
    : t(`logs.event.back.${side}Version`, { number: version });
}

const isSaid = (part: string | undefined): part is string => part !== undefined && part !== '';

/** Change of the balance: an incoming amount, or an administrator's adjustment. */
export function movedBy(line: Pick<LogLine, 'quota' | 'other'>): number {
  return detailsOf(line).event?.quota ?? line.quota;
}

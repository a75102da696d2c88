import type { i18n as I18n, TFunction } from 'i18next';
import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { formatQuota, formatQuotaDelta, type QuotaSettings } from '../../shared/format/quota';
import { formatSeconds } from '../../shared/format/timestamp';
import { isOrderWord } from '../../shared/money/order';
import { useQuotaSettings } from '../../shared/session/status';
import type { AuditEvent } from './api';
import type { FactTexts } from './audit-detail';
import { hasText, ROLES, STATUSES } from './audit.labels';

type Subject = Pick<AuditEvent, 'action' | 'target_type'>;

/** Record of an act in the reader's language: members by name, amounts as everywhere, codes by their meaning. */
export function useAuditTexts(): (event: Subject) => FactTexts {
  const { t, i18n } = useTranslation();
  const settings = useQuotaSettings();
  return useMemo(
    () => (event) => ({
      name: (member) => (hasText('fact', member, i18n) ? t(`audit.fact.${member}`) : undefined),
      value: (member, value) => valueText(event, member, value, i18n, settings),
    }),
    [t, i18n, settings],
  );
}

function valueText(
  { action, target_type: target }: Subject,
  member: string,
  value: unknown,
  texts: I18n,
  settings: QuotaSettings,
): string | undefined {
  const { t } = texts;
  if (value === 'changed') return t('audit.said.changed');
  if (typeof value === 'boolean') return t(value ? 'audit.said.yes' : 'audit.said.no');
  if (typeof value === 'number') return figureText({ action, target, member, value }, t, settings);
  if (typeof value !== 'string') return undefined;
  if ((member === 'way' || member === 'first_step') && hasText('way', value, texts))
    return t(`audit.way.${value}`);
  if (member === 'source' && hasText('source', value, texts)) return t(`audit.source.${value}`);
  if (member === 'previous_status' && isOrderWord(value)) return t(`money.status.${value}`);
  return undefined;
}

function figureText(
  fact: { readonly action: string; readonly target: string; readonly member: string; readonly value: number },
  t: TFunction,
  settings: QuotaSettings,
): string | undefined {
  const { action, target, member, value } = fact;
  switch (member) {
    case 'quota':
      return formatQuota(value, settings);
    case 'amount':
      return formatQuotaDelta(value, settings);
    case 'role': {
      const role = ROLES[value];
      return role === undefined ? undefined : t(`audit.role.${role}`);
    }
    case 'status': {
      const key = STATUSES[target]?.[value];
      return key === undefined ? undefined : t(key);
    }
    case 'expired_time':
    case 'expiredTime':
      return value <= 0 ? t('audit.said.never') : formatSeconds(value);
    case 'before':
      return action === 'log.delete' ? formatSeconds(value) : undefined;
    case 'user_id':
    case 'ordered_by':
    case 'copy_id':
    case 'passkey_id':
    case 'through_sequence':
      return `#${value}`;
    default:
      return undefined;
  }
}

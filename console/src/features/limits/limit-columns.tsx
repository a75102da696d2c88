import { useTranslation } from 'react-i18next';
import { StatusTag } from '../../shared/feedback/status-tag';
import { LimitBar } from '../../shared/limits/limit-bar';
import { limitAmount, limitRule, limitTarget, valueName } from '../../shared/limits/limit-texts';
import type { Limit } from '../../shared/limits/limits.api';
import { useQuotaSettings } from '../../shared/session/status';
import type { Column } from '../../shared/table/columns';
import { Clipped } from '../../shared/value/clipped';
import { Moment } from '../../shared/value/moment';

export function useLimitColumns(): Column<Limit>[] {
  const { t } = useTranslation();
  const settings = useQuotaSettings();
  return [
    { id: 'id', label: t('limits.column.id'), width: 72, hiddenAtFirst: true, render: (limit) => limit.id },
    {
      id: 'name',
      label: t('limits.column.name'),
      choosable: false,
      card: 'title',
      render: (limit) => <Clipped text={limit.name} maxWidth={200} />,
    },
    {
      id: 'target',
      label: t('limits.column.target'),
      card: 'line',
      render: (limit) => <Clipped text={limitTarget(t, limit)} maxWidth={220} />,
    },
    {
      id: 'rule',
      label: t('limits.column.rule'),
      card: 'line',
      render: (limit) => limitRule(t, limit, settings),
    },
    {
      id: 'state',
      label: t('limits.column.state'),
      card: 'aside',
      render: (limit) => {
        if (limit.subject_missing)
          return (
            <StatusTag tone="neutral" tooltip={t('limits.missingHelp')}>
              {t('limits.missing')}
            </StatusTag>
          );
        if (!limit.enabled) return <StatusTag tone="neutral">{t('limits.disabled')}</StatusTag>;
        if (limit.override !== null)
          return (
            <StatusTag tone="warning" tooltip={limit.override.reason}>
              {t('limits.overridden', {
                amount: limitAmount(t, limit.measure, limit.override.amount, settings),
              })}
            </StatusTag>
          );
        return limit.action === 'warn' ? <StatusTag tone="neutral">{t('limits.onlyWarns')}</StatusTag> : '';
      },
    },
    {
      id: 'use',
      label: t('limits.column.use'),
      card: 'line',
      render: (limit) =>
        limit.use === null || limit.measure === 'in_flight' ? (
          '–'
        ) : (
          <>
            {limit.each && <Clipped text={valueName(t, limit, limit.use)} maxWidth={200} />}
            <LimitBar limit={limit} use={limit.use} />
          </>
        ),
    },
    {
      id: 'model',
      label: t('limits.column.model'),
      hiddenAtFirst: true,
      render: (limit) => (limit.model === '' ? t('limits.allModels') : limit.model),
    },
    {
      id: 'created',
      label: t('limits.column.created'),
      hiddenAtFirst: true,
      render: (limit) => <Moment seconds={limit.created_at} />,
    },
  ];
}

import Box from '@mui/material/Box';
import BlockRounded from '@mui/icons-material/BlockRounded';
import CheckCircleOutlineRounded from '@mui/icons-material/CheckCircleOutlineRounded';
import HelpOutlineRounded from '@mui/icons-material/HelpOutlineRounded';
import HourglassBottomRounded from '@mui/icons-material/HourglassBottomRounded';
import KeyOffOutlined from '@mui/icons-material/KeyOffOutlined';
import LockOutlined from '@mui/icons-material/LockOutlined';
import MoneyOffRounded from '@mui/icons-material/MoneyOffRounded';
import { Suspense } from 'react';
import { useTranslation } from 'react-i18next';
import { splitList } from '../../shared/format/lists';
import { lazyPart } from '../../shared/feedback/lazy-part';
import { StatusTag } from '../../shared/feedback/status-tag';
import type { Column } from '../../shared/table/columns';
import { Clipped } from '../../shared/value/clipped';
import { Moment } from '../../shared/value/moment';
import { Quota } from '../../shared/value/quota';
import { UsedQuota } from '../../shared/value/used-quota';
import { Secret } from '../../shared/value/secret';
import { clientKey, hasReadableKey, type Token } from './api';
import { tokenStatus } from './token.labels';

/** Fetched after the list: most tokens have no limits. */
const TokenLimitBar = lazyPart(async () => (await import('./token-limit-bar')).TokenLimitBar);

const STATUS_ICONS = {
  enabled: <CheckCircleOutlineRounded />,
  disabled: <BlockRounded />,
  expired: <HourglassBottomRounded />,
  exhausted: <MoneyOffRounded />,
  unknown: <HelpOutlineRounded />,
};

export function useTokenColumns(): Column<Token>[] {
  const { t } = useTranslation();
  return [
    {
      id: 'name',
      label: t('tokens.column.name'),
      choosable: false,
      card: 'title',
      render: (token) => <Clipped text={token.name} maxWidth={200} />,
    },
    {
      id: 'status',
      label: t('tokens.column.status'),
      card: 'aside',
      render: (token) => {
        if (!hasReadableKey(token)) {
          return (
            <StatusTag tone="fault" icon={<KeyOffOutlined />} tooltip={t('tokens.unreadableHelp')}>
              {t('tokens.unusable')}
            </StatusTag>
          );
        }
        if (token.lock !== null)
          return (
            <Box sx={{ display: 'grid', justifyItems: 'start' }}>
              <StatusTag
                tone="fault"
                icon={<LockOutlined />}
                tooltip={t('tokens.lockedHelp', { reason: token.lock.reason })}
              >
                {t('tokens.locked')}
              </StatusTag>
              <Box
                component="small"
                sx={{ maxWidth: 220, color: 'text.secondary', overflowWrap: 'anywhere' }}
              >
                {token.lock.reason}
              </Box>
            </Box>
          );
        const { word, tone } = tokenStatus(token.status);
        return (
          <StatusTag tone={tone} icon={STATUS_ICONS[word]}>
            {t(`tokens.status.${word}`)}
          </StatusTag>
        );
      },
    },
    {
      id: 'key',
      label: t('tokens.column.key'),
      width: 270,
      render: (token) =>
        hasReadableKey(token) ? (
          <Secret value={clientKey(token)} name={t('tokens.keyOf', { name: token.name })} />
        ) : (
          t('tokens.unreadable')
        ),
    },
    {
      id: 'used',
      wideOnly: true,
      label: t('tokens.column.used'),
      align: 'right',
      card: 'line',
      render: (token) => <UsedQuota charged={token.used_quota} refunded={token.refunded_quota} />,
    },
    {
      id: 'remaining',
      wideOnly: true,
      label: t('tokens.column.remaining'),
      align: 'right',
      card: 'line',
      render: (token) =>
        token.unlimited_quota ? t('tokens.unlimited') : <Quota value={token.remain_quota} />,
    },
    {
      id: 'limits',
      wideOnly: true,
      label: t('tokens.column.limits'),
      card: 'line',
      render: (token) => (
        <Suspense fallback="–">
          <TokenLimitBar token={token} />
        </Suspense>
      ),
    },
    {
      id: 'group',
      wideOnly: true,
      label: t('tokens.column.group'),
      render: (token) =>
        token.group === '' ? t('tokens.ownGroup') : <Clipped text={token.group} maxWidth={120} />,
    },
    {
      id: 'models',
      wideOnly: true,
      label: t('tokens.column.models'),
      render: (token) =>
        token.model_limits_enabled ? (
          <Clipped text={splitList(token.model_limits).join(', ')} maxWidth={180} />
        ) : (
          t('tokens.allModels')
        ),
    },
    {
      id: 'addresses',
      label: t('tokens.column.addresses'),
      hiddenAtFirst: true,
      render: (token) =>
        token.allow_ips === '' ? (
          t('tokens.anyAddress')
        ) : (
          <Clipped text={token.allow_ips.split('\n').join(', ')} maxWidth={160} />
        ),
    },
    {
      id: 'created',
      label: t('tokens.column.created'),
      hiddenAtFirst: true,
      render: (token) => <Moment seconds={token.created_time} />,
    },
    {
      id: 'accessed',
      label: t('tokens.column.accessed'),
      hiddenAtFirst: true,
      render: (token) => <Moment seconds={token.accessed_time} />,
    },
    {
      id: 'expires',
      wideOnly: true,
      label: t('tokens.column.expires'),
      render: (token) => <Moment seconds={token.expired_time} never={t('tokens.neverExpires')} />,
    },
  ];
}

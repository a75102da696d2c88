import BlockRounded from '@mui/icons-material/BlockRounded';
import CheckCircleOutlineRounded from '@mui/icons-material/CheckCircleOutlineRounded';
import HelpOutlineRounded from '@mui/icons-material/HelpOutlineRounded';
import HourglassBottomRounded from '@mui/icons-material/HourglassBottomRounded';
import TaskAltRounded from '@mui/icons-material/TaskAltRounded';
import { useTranslation } from 'react-i18next';
import { AccountLink } from '../../shared/accounts/account-link';
import { StatusTag } from '../../shared/feedback/status-tag';
import type { Column } from '../../shared/table/columns';
import { Clipped } from '../../shared/value/clipped';
import { Moment } from '../../shared/value/moment';
import { Quota } from '../../shared/value/quota';
import { Secret } from '../../shared/value/secret';
import { useNow } from '../../shared/value/use-now';
import type { Redemption } from './api';
import { isReadable, redemptionStatus } from './redemption.labels';

const STATUS_ICONS = {
  unused: <CheckCircleOutlineRounded />,
  disabled: <BlockRounded />,
  used: <TaskAltRounded />,
  expired: <HourglassBottomRounded />,
  unknown: <HelpOutlineRounded />,
};

export function useRedemptionColumns(): Column<Redemption>[] {
  const { t } = useTranslation();
  const now = useNow();
  return [
    {
      id: 'id',
      label: t('redemptions.column.id'),
      width: 72,
      render: (code) => code.id,
    },
    {
      id: 'name',
      label: t('redemptions.column.name'),
      choosable: false,
      card: 'title',
      render: (code) => <Clipped text={code.name} maxWidth={200} />,
    },
    {
      id: 'status',
      label: t('redemptions.column.status'),
      card: 'aside',
      render: (code) => {
        const { word, tone } = redemptionStatus(code, now);
        return (
          <StatusTag tone={tone} icon={STATUS_ICONS[word]}>
            {t(`redemptions.status.${word}`)}
          </StatusTag>
        );
      },
    },
    {
      id: 'key',
      label: t('redemptions.column.key'),
      width: 250,
      render: (code) =>
        isReadable(code) ? (
          <Secret value={code.key} name={t('redemptions.keyOf', { name: code.name, id: code.id })} />
        ) : (
          t('redemptions.unreadable')
        ),
    },
    {
      id: 'quota',
      label: t('redemptions.column.quota'),
      align: 'right',
      card: 'line',
      render: (code) => <Quota value={code.quota} />,
    },
    {
      id: 'created',
      label: t('redemptions.column.created'),
      render: (code) => <Moment seconds={code.created_time} />,
    },
    {
      id: 'expires',
      label: t('redemptions.column.expires'),
      card: 'line',
      render: (code) => <Moment seconds={code.expired_time} never={t('redemptions.neverExpires')} />,
    },
    {
      id: 'redeemed',
      label: t('redemptions.column.redeemed'),
      render: (code) => <Moment seconds={code.redeemed_time} never="–" />,
    },
    {
      id: 'usedBy',
      label: t('redemptions.column.usedBy'),
      card: 'line',
      render: (code) => <UserLink id={code.used_user_id} />,
    },
    {
      id: 'creator',
      label: t('redemptions.column.creator'),
      hiddenAtFirst: true,
      render: (code) => <UserLink id={code.user_id} />,
    },
  ];
}

/** The number of an account; 0 = none. */
function UserLink({ id }: { id: number }) {
  return id === 0 ? <span>–</span> : <AccountLink id={id} />;
}

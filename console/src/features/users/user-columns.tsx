import BlockRounded from '@mui/icons-material/BlockRounded';
import CheckCircleOutlineRounded from '@mui/icons-material/CheckCircleOutlineRounded';
import HelpOutlineRounded from '@mui/icons-material/HelpOutlineRounded';
import PersonOffOutlined from '@mui/icons-material/PersonOffOutlined';
import Box from '@mui/material/Box';
import { useTranslation } from 'react-i18next';
import { AccountLink } from '../../shared/accounts/account-link';
import { StatusTag } from '../../shared/feedback/status-tag';
import { MONO } from '../../shared/format/mono';
import type { Column } from '../../shared/table/columns';
import { Clipped } from '../../shared/value/clipped';
import { Moment } from '../../shared/value/moment';
import { Quota } from '../../shared/value/quota';
import { UsedQuota } from '../../shared/value/used-quota';
import type { User } from './api';
import { roleWord, userStatus } from './user.labels';

const STATUS_ICONS = {
  active: <CheckCircleOutlineRounded />,
  banned: <BlockRounded />,
  deleted: <PersonOffOutlined />,
  unknown: <HelpOutlineRounded />,
};

export function useUserColumns(): Column<User>[] {
  const { t } = useTranslation();
  return [
    {
      id: 'id',
      label: t('users.column.id'),
      width: 56,
      card: 'line',
      // The name opens the row's form, so the number leads to the page of the account.
      render: (user) => (
        <Box sx={{ fontFamily: MONO, fontSize: 12.5, color: 'text.secondary' }}>
          <AccountLink id={user.id} role={user.role} text={String(user.id)} />
        </Box>
      ),
    },
    {
      id: 'username',
      label: t('users.column.username'),
      choosable: false,
      card: 'title',
      render: (user) => (
        <span>
          <Clipped text={user.username} maxWidth={180} />
          {user.display_name !== '' && user.display_name !== user.username && (
            <Box component="span" sx={{ color: 'text.secondary', fontWeight: 400, ml: 0.75 }}>
              {user.display_name}
            </Box>
          )}
        </span>
      ),
    },
    {
      id: 'group',
      label: t('users.column.group'),
      card: 'line',
      render: (user) => <Clipped text={user.group} maxWidth={120} />,
    },
    {
      id: 'balance',
      sort: 'quota',
      label: t('users.column.balance'),
      align: 'right',
      card: 'line',
      render: (user) => <Quota value={user.quota} />,
    },
    {
      id: 'used',
      sort: 'used_quota',
      label: t('users.column.used'),
      align: 'right',
      render: (user) => <UsedQuota charged={user.used_quota} refunded={user.refunded_quota} />,
    },
    {
      id: 'calls',
      sort: 'request_count',
      label: t('users.column.calls'),
      align: 'right',
      render: (user) => user.request_count.toLocaleString('en-US'),
    },
    {
      id: 'invites',
      label: t('users.column.invites'),
      render: (user) => <InviteInfo user={user} />,
    },
    {
      id: 'role',
      label: t('users.column.role'),
      card: 'line',
      render: (user) => t(`users.role.${roleWord(user.role)}`),
    },
    {
      id: 'status',
      label: t('users.column.status'),
      card: 'aside',
      render: (user) => {
        const { word, tone } = userStatus(user);
        return (
          <StatusTag tone={tone} icon={STATUS_ICONS[word]}>
            {t(`users.status.${word}`)}
          </StatusTag>
        );
      },
    },
    {
      id: 'lastLogin',
      label: t('users.column.lastLogin'),
      hiddenAtFirst: true,
      render: (user) => <Moment seconds={user.last_login_at} />,
    },
    {
      id: 'created',
      label: t('users.column.created'),
      hiddenAtFirst: true,
      render: (user) => <Moment seconds={user.created_at} />,
    },
  ];
}

/** Invited accounts, what they earned, and who invited this one. */
function InviteInfo({ user }: { user: User }) {
  const { t } = useTranslation();
  if (user.aff_count === 0 && user.inviter_id === 0 && user.aff_history_quota === 0)
    return <Box sx={{ color: 'text.secondary' }}>{t('users.noInvites')}</Box>;
  return (
    <Box component="span" sx={{ whiteSpace: 'nowrap' }}>
      {t('users.invited', { count: user.aff_count })}
      {user.aff_history_quota > 0 && (
        <>
          {' · '}
          <Quota value={user.aff_history_quota} />
        </>
      )}
      {user.inviter_id > 0 && (
        <>
          {' · '}
          <AccountLink id={user.inviter_id} text={t('users.invitedBy', { id: user.inviter_id })} />
        </>
      )}
    </Box>
  );
}

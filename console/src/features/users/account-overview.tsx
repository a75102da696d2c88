import Box from '@mui/material/Box';
import { Suspense } from 'react';
import { useTranslation } from 'react-i18next';
import { loadTexts } from '../../i18n';
import { AccountLink } from '../../shared/accounts/account-link';
import { StatusTag } from '../../shared/feedback/status-tag';
import { lazyPart } from '../../shared/feedback/lazy-part';
import { Section } from '../../shared/page/section';
import { Facts } from '../../shared/value/facts';
import { Moment } from '../../shared/value/moment';
import { Quota } from '../../shared/value/quota';
import { UsedQuota } from '../../shared/value/used-quota';
import { AccountUse } from './account-use';
import type { User } from './api';
import { roleWord, userStatus } from './user.labels';

const LimitsPart = lazyPart(
  async () =>
    (await Promise.all([import('../../shared/limits/limits-part'), loadTexts('limits')]))[0].LimitsPart,
);

/** Facts of an account, and its use of the last 30 days. */
export function AccountOverview({ user }: { user: User }) {
  const { t } = useTranslation();
  const { word, tone } = userStatus(user);
  return (
    <Box
      sx={{
        display: 'grid',
        gap: 2,
        gridTemplateColumns: { xs: '1fr', lg: 'minmax(320px, 2fr) 3fr' },
        alignItems: 'start',
        '& > *': { minWidth: 0 },
      }}
    >
      <Section title={t('users.account.facts')}>
        <Facts
          facts={[
            [t('users.column.id'), user.id],
            [
              t('users.column.status'),
              <StatusTag key="status" tone={tone}>
                {t(`users.status.${word}`)}
              </StatusTag>,
            ],
            [t('users.column.role'), t(`users.role.${roleWord(user.role)}`)],
            [t('users.column.group'), user.group],
            [t('users.account.email'), user.email === '' ? t('users.account.none') : user.email],
            [t('users.column.balance'), <Quota key="balance" value={user.quota} />],
            [
              t('users.column.used'),
              <UsedQuota key="used" charged={user.used_quota} refunded={user.refunded_quota} />,
            ],
            [t('users.column.calls'), user.request_count.toLocaleString('en-US')],
            [t('users.column.lastLogin'), <Moment key="login" seconds={user.last_login_at} />],
            [t('users.column.created'), <Moment key="created" seconds={user.created_at} />],
            user.inviter_id > 0 && [
              t('users.account.inviter'),
              <AccountLink key="inviter" id={user.inviter_id} />,
            ],
            user.aff_count > 0 && [t('users.account.invited'), user.aff_count.toLocaleString('en-US')],
          ]}
        />
      </Section>
      <Suspense>
        <LimitsPart target={{ scope: 'account', subject: String(user.id), name: user.username }} boxed />
      </Suspense>
      <AccountUse username={user.username} />
    </Box>
  );
}

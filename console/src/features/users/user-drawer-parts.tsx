import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Typography from '@mui/material/Typography';
import { useQuery } from '@tanstack/react-query';
import { useWatch, type UseFormReturn } from 'react-hook-form';
import { useTranslation } from 'react-i18next';
import { FormSection } from '../../shared/form/form-section';
import { QuotaField } from '../../shared/money/quota-field';
import { SelectField } from '../../shared/form/select-field';
import { TextField } from '../../shared/form/text-field';
import { groupsQuery } from '../../shared/session/reference-lists';
import { useQuotaSettings } from '../../shared/session/status';
import { Facts } from '../../shared/value/facts';
import { Quota } from '../../shared/value/quota';
import type { User } from './api';
import type { UserValues } from './user.schema';

type UserForm = UseFormReturn<UserValues>;

/** Offered for giving with one press. */
const ADDED_DOLLARS = [1, 5, 10, 50] as const;

/** The balance as typed, or raised by a press; the difference is what will be booked, with a reason. */
export function QuotaPart({ form, loaded }: { form: UserForm; loaded: number }) {
  const { t } = useTranslation();
  const { quotaPerUnit } = useQuotaSettings();
  const quota = useWatch({ control: form.control, name: 'quota' });
  const difference = Number.isSafeInteger(quota) ? quota - loaded : 0;
  const add = (dollars: number) =>
    form.setValue('quota', (Number.isSafeInteger(quota) ? quota : loaded) + dollars * quotaPerUnit, {
      shouldDirty: true,
      shouldValidate: true,
    });
  return (
    <>
      <Box>
        <QuotaField
          control={form.control}
          name="quota"
          label={t('users.form.quota')}
          help={t('users.form.quotaHelp')}
        />
        <Box sx={{ display: 'flex', flexWrap: 'wrap', alignItems: 'center', gap: 0.75, mt: 0.75 }}>
          {ADDED_DOLLARS.map((dollars) => (
            <Button
              key={dollars}
              size="small"
              variant="outlined"
              color="inherit"
              aria-label={t('users.form.addQuota', { amount: `$${dollars}` })}
              onClick={() => add(dollars)}
            >
              +${dollars}
            </Button>
          ))}
          {difference !== 0 && (
            <Typography variant="body2" color="textSecondary" role="status">
              {t('users.form.difference')} <Quota value={difference} signed />
            </Typography>
          )}
        </Box>
      </Box>
      {difference !== 0 && (
        <TextField
          control={form.control}
          name="reason"
          label={t('users.form.reason')}
          help={t('users.quota.reasonHelp')}
        />
      )}
    </>
  );
}

export function InviteFacts({ user }: { user: User }) {
  const { t } = useTranslation();
  return (
    <FormSection title={t('users.form.invites')}>
      <Facts
        facts={[
          [t('users.form.inviteCount'), String(user.aff_count)],
          [t('users.form.inviteEarned'), <Quota key="earned" value={user.aff_history_quota} />],
          [t('users.form.invitePending'), <Quota key="pending" value={user.aff_quota} />],
          [
            t('users.form.inviter'),
            user.inviter_id === 0 ? t('users.form.noInviter') : `#${user.inviter_id}`,
          ],
        ]}
      />
    </FormSection>
  );
}

/** Names of outside providers are the same in every language. */
export function Bindings({ user }: { user: User }) {
  const { t } = useTranslation();
  const shown = (value: string) => (value === '' ? t('users.form.none') : value);
  return (
    <FormSection title={t('users.form.bindings')} explanation={t('users.form.bindingsHelp')}>
      <Facts
        facts={[
          [t('users.form.email'), shown(user.email)],
          ['GitHub', shown(user.github_id)],
          ['OIDC', shown(user.oidc_id)],
          ['WeChat', shown(user.wechat_id)],
          ['Telegram', shown(user.telegram_id)],
          ['Linux DO', shown(user.linux_do_id)],
        ]}
      />
    </FormSection>
  );
}

export function GroupField({ form }: { form: UserForm }) {
  const { t } = useTranslation();
  const groups = useQuery(groupsQuery).data ?? [];
  const current = form.getValues('group');
  const names = groups.includes(current) ? groups : [current, ...groups];
  return (
    <SelectField
      control={form.control}
      name="group"
      label={t('users.form.group')}
      help={t('users.form.groupHelp')}
      options={names.map((name) => ({ value: name, label: name }))}
    />
  );
}

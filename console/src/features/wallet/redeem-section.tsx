import { zodResolver } from '@hookform/resolvers/zod';
import OpenInNewRounded from '@mui/icons-material/OpenInNewRounded';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Typography from '@mui/material/Typography';
import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { useForm } from 'react-hook-form';
import { useTranslation } from 'react-i18next';
import * as z from 'zod/mini';
import { FailureAlert } from '../../shared/feedback/failure-alert';
import { toast } from '../../shared/feedback/toast';
import { PlainForm } from '../../shared/form/plain-form';
import { useSubmit } from '../../shared/form/use-submit';
import { TextField } from '../../shared/form/text-field';
import { formatQuota } from '../../shared/format/quota';
import { Section } from '../../shared/page/section';
import { useQuotaSettings, useStatus } from '../../shared/session/status';
import { isPayableOnline, topUpInfoQuery, useRedeem } from './api';

/** Turning a code into quota, and where codes are sold. */
export function RedeemSection() {
  const { t } = useTranslation();
  const settings = useQuotaSettings();
  const redeem = useRedeem();
  const schema = useMemo(
    () => z.object({ key: z.string().check(z.trim(), z.minLength(1, t('wallet.redeem.empty'))) }),
    [t],
  );
  const form = useForm({ resolver: zodResolver(schema), defaultValues: { key: '' } });
  const submit = useSubmit(form, async ({ key }) => {
    const quota = await redeem.mutateAsync(key);
    form.reset();
    toast('success', t('wallet.redeem.done', { quota: formatQuota(quota, settings) }));
  });
  const failure = form.formState.errors.root?.message;
  return (
    <Section title={t('wallet.redeem.title')} explanation={t('wallet.redeem.help')}>
      <PlainForm onSubmit={submit}>
        <TextField control={form.control} name="key" label={t('wallet.redeem.code')} mono />
        <FailureAlert failure={failure} />
        <Box sx={{ display: 'flex', gap: 1, flexWrap: 'wrap', alignItems: 'center' }}>
          <Button type="submit" variant="contained" loading={form.formState.isSubmitting}>
            {t('wallet.redeem.submit')}
          </Button>
          <BuyCode />
        </Box>
      </PlainForm>
    </Section>
  );
}

function BuyCode() {
  const { t } = useTranslation();
  const status = useStatus();
  const { data: info } = useQuery(topUpInfoQuery);
  if (status === undefined) return null;
  if (status.top_up_link === '') {
    // Accounts that can pay online need no hint; until that is loaded, none is shown.
    if (info === undefined || isPayableOnline(info)) return null;
    return (
      <Typography variant="body2" color="textSecondary">
        {t('wallet.redeem.noLink')}
      </Typography>
    );
  }
  return (
    <Button
      color="inherit"
      href={status.top_up_link}
      target="_blank"
      rel="noreferrer"
      endIcon={<OpenInNewRounded />}
    >
      {t('wallet.redeem.buy')}
    </Button>
  );
}

import { zodResolver } from '@hookform/resolvers/zod';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import { useMemo, useState } from 'react';
import { useForm } from 'react-hook-form';
import { useTranslation } from 'react-i18next';
import * as z from 'zod/mini';
import { useConfirm } from '../../shared/dialog/confirm';
import { formatSeconds } from '../../shared/format/timestamp';
import { toast } from '../../shared/feedback/toast';
import { TimeField } from '../../shared/form/time-field';
import { Section } from '../../shared/page/section';
import { useDeleteLogs } from './api';

const MONTH_SECONDS = 30 * 86_400;

/** Deletes old log lines; a month back is offered. */
export function CleanLogs() {
  const { t } = useTranslation();
  const confirm = useConfirm();
  const deleteLogs = useDeleteLogs();
  const schema = useMemo(() => z.object({ before: z.number(t('settings.clean.invalid')) }), [t]);
  const [monthAgo] = useState(() => Math.floor(Date.now() / 1000) - MONTH_SECONDS);
  const form = useForm({ resolver: zodResolver(schema), defaultValues: { before: monthAgo } });
  const submit = form.handleSubmit(async ({ before }) => {
    const yes = await confirm({
      title: t('settings.clean.confirm', { time: formatSeconds(before) }),
      consequence: t('settings.clean.confirmText'),
      action: t('settings.clean.action'),
      danger: true,
    });
    if (yes)
      deleteLogs.mutate(before, {
        onSuccess: (count) => toast('success', t('settings.clean.done', { count })),
      });
  });
  return (
    <Section title={t('settings.clean.title')} explanation={t('settings.clean.help')}>
      <Box
        component="form"
        noValidate
        onSubmit={(event) => void submit(event)}
        sx={{ display: 'flex', gap: 1.5, alignItems: 'flex-end', flexWrap: 'wrap' }}
      >
        <TimeField control={form.control} name="before" label={t('settings.clean.before')} />
        <Button type="submit" variant="outlined" color="error" loading={deleteLogs.isPending}>
          {t('settings.clean.action')}
        </Button>
      </Box>
    </Section>
  );
}

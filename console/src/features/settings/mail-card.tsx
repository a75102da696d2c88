import { zodResolver } from '@hookform/resolvers/zod';
import SendRounded from '@mui/icons-material/SendRounded';
import Button from '@mui/material/Button';
import Divider from '@mui/material/Divider';
import { useMemo } from 'react';
import { useForm } from 'react-hook-form';
import { useTranslation } from 'react-i18next';
import * as z from 'zod/mini';
import { FailureAlert } from '../../shared/feedback/failure-alert';
import { toast } from '../../shared/feedback/toast';
import { PlainForm } from '../../shared/form/plain-form';
import { useSubmit } from '../../shared/form/use-submit';
import { TextField } from '../../shared/form/text-field';
import { SettingsCard, type SettingsCardProps } from './settings-card';
import { useSendTestMail } from './provider.api';

export function MailCard(props: SettingsCardProps) {
  const { t } = useTranslation();
  return (
    <SettingsCard
      {...props}
      explanation={t('settings.explain.mail')}
      footer={(unsaved) => <TestMail unsaved={unsaved} />}
    />
  );
}

/** A test e-mail by the stored settings; values typed above are not used before they are saved. */
function TestMail({ unsaved }: { unsaved: boolean }) {
  const { t } = useTranslation();
  const send = useSendTestMail();
  const schema = useMemo(
    () =>
      z.object({
        to: z.string().check(
          z.trim(),
          z.refine((text) => text === '' || /^[^\s@]+@[^\s@]+$/.test(text), t('settings.testMail.invalid')),
        ),
      }),
    [t],
  );
  const form = useForm({ resolver: zodResolver(schema), defaultValues: { to: '' } });
  const submit = useSubmit(form, async ({ to }) => {
    await send.mutateAsync(to);
    toast('success', t('settings.testMail.sent'));
  });
  const failure = form.formState.errors.root?.message;
  return (
    <>
      <Divider sx={{ my: 2.5 }} />
      <PlainForm onSubmit={submit} gap={1.5} maxWidth={720}>
        <TextField
          control={form.control}
          name="to"
          label={t('settings.testMail.to')}
          help={t(unsaved ? 'settings.testMail.saveFirst' : 'settings.testMail.help')}
          autoComplete="email"
        />
        <FailureAlert failure={failure} />
        <Button
          type="submit"
          variant="outlined"
          startIcon={<SendRounded />}
          disabled={unsaved}
          loading={send.isPending}
          sx={{ justifySelf: 'start' }}
        >
          {t('settings.testMail.send')}
        </Button>
      </PlainForm>
    </>
  );
}

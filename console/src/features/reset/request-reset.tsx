import { zodResolver } from '@hookform/resolvers/zod';
import Alert from '@mui/material/Alert';
import Button from '@mui/material/Button';
import { useMemo } from 'react';
import { useForm } from 'react-hook-form';
import { useTranslation } from 'react-i18next';
import * as z from 'zod/mini';
import { FailureAlert } from '../../shared/feedback/failure-alert';
import { useCountdown } from '../../shared/browser/use-countdown';
import { PlainForm } from '../../shared/form/plain-form';
import { useSubmit } from '../../shared/form/use-submit';
import { TextField } from '../../shared/form/text-field';
import { useHumanCheck } from '../../shared/human-check/use-human-check';
import { RESEND_SECONDS } from '../../shared/identity/code-button';
import { emailSchema } from '../../shared/identity/identity.schema';
import { useRequestReset } from './api';

export function RequestReset() {
  const { t } = useTranslation();
  const request = useRequestReset();
  const check = useHumanCheck('reset');
  const { leftSeconds, start } = useCountdown(RESEND_SECONDS);
  const schema = useMemo(() => z.object({ email: emailSchema(t) }), [t]);
  const form = useForm({ resolver: zodResolver(schema), defaultValues: { email: '' } });
  const failure = form.formState.errors.root?.message;
  const submit = useSubmit(form, async ({ email }) => {
    if (!check.isReady) {
      form.setError('root', { message: t('identity.check.wait') });
      return;
    }
    await request.mutateAsync({ email, turnstile: check.take() });
    start();
  });
  return (
    <PlainForm onSubmit={submit}>
      <TextField
        control={form.control}
        name="email"
        label={t('identity.email.label')}
        autoComplete="email"
        autoFocus
      />
      {check.widget}
      <FailureAlert failure={failure} />
      {request.isSuccess && failure === undefined && (
        <Alert severity="success" role="status">
          {t('reset.request.sent')}
        </Alert>
      )}
      <Button
        type="submit"
        variant="contained"
        loading={form.formState.isSubmitting}
        disabled={leftSeconds > 0}
      >
        {leftSeconds > 0 ? t('reset.request.again', { seconds: leftSeconds }) : t('reset.request.submit')}
      </Button>
    </PlainForm>
  );
}

import { zodResolver } from '@hookform/resolvers/zod';
import Alert from '@mui/material/Alert';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import { useQuery } from '@tanstack/react-query';
import { useMemo, useState } from 'react';
import { useForm } from 'react-hook-form';
import { useTranslation } from 'react-i18next';
import { Navigate } from 'react-router';
import { FailureAlert } from '../../shared/feedback/failure-alert';
import { isApiError } from '../../api/api-error';
import { Failed } from '../../shared/feedback/failed';
import { Loading } from '../../shared/feedback/loading';
import { useErrorText } from '../../shared/feedback/use-error-text';
import { PlainForm } from '../../shared/form/plain-form';
import { SecretField, TextField } from '../../shared/form/text-field';
import { SignInPage } from '../../shared/page/sign-in-page';
import { Section } from '../../shared/page/section';
import { useSystemName } from '../../shared/session/status';
import { setupStatusQuery, useSetUp, type SetupStatus } from './api';
import { ModeField } from './mode-field';
import { setupSchema, type SetupValues } from './setup.schema';
import { basePath } from '../../shared/browser/base-path';

/** The server has answered; the page then starts afresh with its new status. */
const RELOAD_AFTER_MS = 1_500;

export function SetupPage() {
  const { t } = useTranslation();
  const { data, error, isError, refetch } = useQuery(setupStatusQuery);
  if (isError) return <Failed title={t('setup.statusFailed')} error={error} onRetry={() => void refetch()} />;
  if (data === undefined) return <Loading />;
  if (data.status) return <Navigate to="/" replace />;
  return <SetupForm status={data} />;
}

function SetupForm({ status }: { status: SetupStatus }) {
  const { t } = useTranslation();
  const name = useSystemName();
  const errorText = useErrorText();
  const withAccount = !status.root_init;
  const schema = useMemo(() => setupSchema(t, withAccount), [t, withAccount]);
  const form = useForm<SetupValues>({
    resolver: zodResolver(schema),
    defaultValues: { username: '', password: '', confirm: '', token: '', mode: 'external' },
  });
  const setUp = useSetUp();
  const [done, setDone] = useState(false);

  const submit = form.handleSubmit(async (values) => {
    await setUp.mutateAsync(values).then(
      (signedIn) => {
        setDone(true);
        setTimeout(() => window.location.assign(basePath() + (signedIn ? '/start' : '/')), RELOAD_AFTER_MS);
      },
      (error: unknown) => {
        const isWordless = isApiError(error) && error.message === '' && error.status !== 0;
        form.setError('root', { message: isWordless ? t('setup.failed') : errorText(error) });
      },
    );
  });

  const { control, formState } = form;
  return (
    <SignInPage title={t('setup.title', { name })} lead={t('setup.lead')} wide>
      <PlainForm onSubmit={submit}>
        {status.database_type === 'sqlite' && <Alert severity="warning">{t('setup.sqlite')}</Alert>}
        {withAccount ? (
          <Section title={t('setup.account.title')} explanation={t('setup.account.help')}>
            <Box sx={{ display: 'grid', gap: 2 }}>
              <TextField
                control={control}
                name="username"
                label={t('setup.username')}
                help={t('setup.usernameHelp')}
                autoComplete="username"
                autoFocus
                required
              />
              <Box
                sx={{
                  display: 'grid',
                  gap: 2,
                  gridTemplateColumns: { xs: '1fr', sm: '1fr 1fr' },
                  alignItems: 'start',
                }}
              >
                <SecretField
                  control={control}
                  name="password"
                  label={t('setup.password')}
                  help={t('setup.passwordHelp')}
                  required
                />
                <SecretField
                  control={control}
                  name="confirm"
                  label={t('setup.confirm')}
                  help={t('setup.confirmHelp')}
                  required
                />
              </Box>
            </Box>
          </Section>
        ) : (
          <Alert severity="info">{t('setup.account.exists')}</Alert>
        )}
        <Section title={t('setup.mode.title')} explanation={t('setup.mode.help')}>
          <ModeField control={control} />
        </Section>
        {status.token_required === true && (
          <Section>
            <SecretField
              control={control}
              name="token"
              label={t('setup.token')}
              help={t('setup.tokenHelp')}
            />
          </Section>
        )}
        <FailureAlert failure={formState.errors.root?.message} />
        {done && (
          <Alert severity="success" role="status">
            {t('setup.done')}
          </Alert>
        )}
        <Button type="submit" variant="contained" size="large" loading={formState.isSubmitting || done}>
          {t('setup.submit')}
        </Button>
      </PlainForm>
    </SignInPage>
  );
}

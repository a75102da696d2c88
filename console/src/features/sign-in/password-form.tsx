import Alert from '@mui/material/Alert';
import Button from '@mui/material/Button';
import Link from '@mui/material/Link';
import { useState } from 'react';
import { useForm } from 'react-hook-form';
import { useTranslation } from 'react-i18next';
import { Link as RouterLink } from 'react-router';
import { FailureAlert } from '../../shared/feedback/failure-alert';
import { isApiError } from '../../api/api-error';
import { useErrorText } from '../../shared/feedback/use-error-text';
import { PlainForm } from '../../shared/form/plain-form';
import { SecretField, TextField } from '../../shared/form/text-field';
import { useHumanCheck } from '../../shared/human-check/use-human-check';
import type { SignInAnswer } from '../../shared/session/sign-in-answer';
import { usePasswordLogin, useRequestUnlockEmail } from './api';
import type { LoginValues } from './sign-in.schema';

interface PasswordFormProps {
  /** Values from the link of an e-mail, when one was followed. */
  unlock: string | undefined;
  /** `isDefaultPassword`: an administrator used a common password. */
  onAnswer: (answer: SignInAnswer, isDefaultPassword: boolean) => void;
}

export function PasswordForm({ unlock, onAnswer }: PasswordFormProps) {
  const { t } = useTranslation();
  const errorText = useErrorText();
  const login = usePasswordLogin();
  const check = useHumanCheck('login');
  const form = useForm<LoginValues>({ defaultValues: { username: '', password: '' } });
  const failure = form.formState.errors.root?.message;
  const letter = useRequestUnlockEmail();
  const [mustWait, setMustWait] = useState(false);

  const submit = form.handleSubmit(async (values) => {
    if (!check.isReady) {
      form.setError('root', { message: t('identity.check.wait') });
      return;
    }
    try {
      const { answer, isDefaultPassword } = await login.mutateAsync({
        ...values,
        turnstile: check.take(),
        unlock,
      });
      onAnswer(answer, isDefaultPassword);
    } catch (error) {
      setMustWait(isApiError(error) && error.code === 'login_too_often');
      form.setError('root', { message: errorText(error) });
    }
  });
  const askForLetter = async () => {
    if (!check.isReady) {
      form.setError('root', { message: t('identity.check.wait') });
      return;
    }
    try {
      await letter.mutateAsync({ username: form.getValues('username'), turnstile: check.take() });
      setMustWait(false);
      form.clearErrors('root');
    } catch (error) {
      form.setError('root', { message: errorText(error) });
    }
  };

  return (
    <PlainForm onSubmit={submit}>
      <TextField
        control={form.control}
        name="username"
        label={t('signIn.login.username')}
        autoComplete="username"
        rules={{ validate: (text) => text.trim() !== '' || t('signIn.login.missing') }}
        autoFocus
      />
      <SecretField
        control={form.control}
        name="password"
        label={t('signIn.login.password')}
        autoComplete="current-password"
        rules={{ required: t('signIn.login.missing') }}
      />
      {check.widget}
      <FailureAlert failure={failure} />
      {mustWait && (
        <Button onClick={() => void askForLetter()} loading={letter.isPending}>
          {t('signIn.login.unlock')}
        </Button>
      )}
      {letter.isSuccess && failure === undefined && (
        <Alert severity="success" role="status">
          {t('signIn.login.unlockSent')}
        </Alert>
      )}
      <Button type="submit" variant="contained" loading={form.formState.isSubmitting}>
        {t('signIn.login.submit')}
      </Button>
      <Link component={RouterLink} to="/reset" variant="body2" sx={{ justifySelf: 'center' }}>
        {t('signIn.login.forgotten')}
      </Link>
    </PlainForm>
  );
}

import { zodResolver } from '@hookform/resolvers/zod';
import Button from '@mui/material/Button';
import { useMemo } from 'react';
import { useForm } from 'react-hook-form';
import { useTranslation } from 'react-i18next';
import { useNavigate } from 'react-router';
import { FailureAlert } from '../../shared/feedback/failure-alert';
import { toast } from '../../shared/feedback/toast';
import { PlainForm } from '../../shared/form/plain-form';
import { useSubmit } from '../../shared/form/use-submit';
import { SecretField, TextField } from '../../shared/form/text-field';
import { useHumanCheck } from '../../shared/human-check/use-human-check';
import { CodeButton } from '../../shared/identity/code-button';
import { useRegister } from './api';
import { registerSchema, type RegisterValues } from './sign-in.schema';

interface RegisterFormProps {
  /** The instance sends a code to the address first. */
  withEmail: boolean;
  /** Something has to be agreed to first. */
  isLocked?: boolean;
}

export function RegisterForm({ withEmail, isLocked = false }: RegisterFormProps) {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const register = useRegister();
  const check = useHumanCheck('register');
  const schema = useMemo(() => registerSchema(t, withEmail), [t, withEmail]);
  const form = useForm<RegisterValues>({
    resolver: zodResolver(schema),
    defaultValues: { username: '', password: '', confirm: '', email: '', code: '' },
  });
  const failure = form.formState.errors.root?.message;

  const submit = useSubmit(form, async (values) => {
    // Enter submits a form whose button is disabled, too.
    if (isLocked) {
      form.setError('root', { message: t('legal.first') });
      return;
    }
    if (!check.isReady) {
      form.setError('root', { message: t('identity.check.wait') });
      return;
    }
    await register.mutateAsync({ ...values, turnstile: check.take() });
    toast('success', t('signIn.register.success'));
    await navigate('/login', { replace: true });
  });

  return (
    <PlainForm onSubmit={submit}>
      <TextField
        control={form.control}
        name="username"
        label={t('signIn.register.username')}
        help={t('signIn.register.usernameHelp')}
        autoComplete="username"
        autoFocus
      />
      <SecretField
        control={form.control}
        name="password"
        label={t('signIn.register.password')}
        help={t('signIn.register.passwordHelp')}
      />
      <SecretField control={form.control} name="confirm" label={t('signIn.register.confirm')} />
      {withEmail && (
        <>
          <TextField
            control={form.control}
            name="email"
            label={t('identity.email.label')}
            autoComplete="email"
          />
          <TextField
            control={form.control}
            name="code"
            label={t('identity.code.label')}
            help={t('signIn.register.codeHelp')}
            autoComplete="one-time-code"
            end={
              <CodeButton
                check={check}
                readAddress={async () =>
                  (await form.trigger('email')) ? form.getValues('email').trim() : undefined
                }
                onFailure={(message) => form.setError('email', { message })}
                onSent={() => form.setFocus('code')}
              />
            }
          />
        </>
      )}
      {check.widget}
      <FailureAlert failure={failure} />
      <Button type="submit" variant="contained" disabled={isLocked} loading={form.formState.isSubmitting}>
        {t('signIn.register.submit')}
      </Button>
    </PlainForm>
  );
}

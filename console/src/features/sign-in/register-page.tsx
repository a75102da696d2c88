import { zodResolver } from '@hookform/resolvers/zod';
import Alert from '@mui/material/Alert';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Link from '@mui/material/Link';
import Typography from '@mui/material/Typography';
import { useEffect, useMemo } from 'react';
import { useForm } from 'react-hook-form';
import { useTranslation } from 'react-i18next';
import { Link as RouterLink, useNavigate, useSearchParams } from 'react-router';
import { storedInviteCode } from '../../shared/browser/stored';
import { toast } from '../../shared/feedback/toast';
import { useErrorText } from '../../shared/feedback/use-error-text';
import { SecretField, TextField } from '../../shared/form/text-field';
import { DoorPage } from '../../shared/page/door-page';
import { Section } from '../../shared/page/section';
import { useStatus } from '../../shared/session/status';
import { useRegister } from './api';
import { registerSchema, type RegisterValues } from './sign-in.schema';

export function RegisterPage() {
  const { t } = useTranslation();
  const status = useStatus();
  const [search] = useSearchParams();
  const navigate = useNavigate();
  const errorText = useErrorText();
  const register = useRegister();
  const schema = useMemo(() => registerSchema(t), [t]);
  const form = useForm<RegisterValues>({
    resolver: zodResolver(schema),
    defaultValues: { username: '', password: '', confirm: '' },
  });

  const inviteCode = search.get('aff');
  useEffect(() => {
    if (inviteCode !== null) storedInviteCode.write(inviteCode.slice(0, 32));
  }, [inviteCode]);

  const submit = form.handleSubmit(async (values) => {
    try {
      await register.mutateAsync(values);
    } catch (error) {
      form.setError('root', { message: errorText(error) });
      return;
    }
    toast('success', t('signIn.register.success'));
    await navigate('/login', { replace: true });
  });

  const { control, formState } = form;
  const closed = status?.register_enabled === false;
  return (
    <DoorPage title={t('signIn.register.title')}>
      <Box sx={{ display: 'grid', gap: 2 }}>
        {closed ? (
          <Alert severity="info">{t('signIn.register.off')}</Alert>
        ) : (
          <Section>
            <Box
              component="form"
              noValidate
              onSubmit={(event) => void submit(event)}
              sx={{ display: 'grid', gap: 2 }}
            >
              <TextField
                control={control}
                name="username"
                label={t('signIn.register.username')}
                help={t('signIn.register.usernameHelp')}
                autoComplete="username"
                autoFocus
              />
              <SecretField
                control={control}
                name="password"
                label={t('signIn.register.password')}
                help={t('signIn.register.passwordHelp')}
              />
              <SecretField control={control} name="confirm" label={t('signIn.register.confirm')} />
              {formState.errors.root?.message !== undefined && (
                <Alert severity="error" role="alert">
                  {formState.errors.root.message}
                </Alert>
              )}
              <Button type="submit" variant="contained" loading={formState.isSubmitting}>
                {t('signIn.register.submit')}
              </Button>
            </Box>
          </Section>
        )}
        <Typography variant="body2" color="textSecondary" sx={{ textAlign: 'center' }}>
          {t('signIn.register.haveAccount')}{' '}
          <Link component={RouterLink} underline="always" to="/login">
            {t('signIn.register.login')}
          </Link>
        </Typography>
      </Box>
    </DoorPage>
  );
}

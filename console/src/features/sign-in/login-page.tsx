import { zodResolver } from '@hookform/resolvers/zod';
import Alert from '@mui/material/Alert';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Link from '@mui/material/Link';
import Typography from '@mui/material/Typography';
import { useEffect, useMemo } from 'react';
import { useForm } from 'react-hook-form';
import { useTranslation } from 'react-i18next';
import { Link as RouterLink, Navigate, useLocation, useNavigate, useSearchParams } from 'react-router';
import { storedInviteCode } from '../../shared/browser/stored';
import { toast } from '../../shared/feedback/toast';
import { useErrorText } from '../../shared/feedback/use-error-text';
import { SecretField, TextField } from '../../shared/form/text-field';
import { DoorPage } from '../../shared/page/door-page';
import { Section } from '../../shared/page/section';
import { useCurrentUser } from '../../shared/session/current-user';
import { useStatus } from '../../shared/session/status';
import { useLogin } from './api';
import { loginSchema, type LoginValues } from './sign-in.schema';

/** Where a password login lands (specification); a page that asked for the login gets its visitor back. */
const LANDING = '/token';
/** The pair that very old versions of this family created by themselves. */
const DEFAULT_ROOT = { username: 'root', password: '123456' };

export function LoginPage() {
  const { t } = useTranslation();
  const status = useStatus();
  const user = useCurrentUser();
  const [search] = useSearchParams();
  const location = useLocation();
  const navigate = useNavigate();
  const errorText = useErrorText();
  const login = useLogin();
  const schema = useMemo(() => loginSchema(t), [t]);
  const form = useForm<LoginValues>({
    resolver: zodResolver(schema),
    defaultValues: { username: '', password: '' },
  });
  const back = backPath(location.state) ?? LANDING;

  const inviteCode = search.get('aff');
  useEffect(() => {
    if (inviteCode !== null) storedInviteCode.write(inviteCode.slice(0, 32));
  }, [inviteCode]);

  if (user !== null && !form.formState.isSubmitting) return <Navigate to={back} replace />;

  const submit = form.handleSubmit(async (values) => {
    try {
      await login.mutateAsync(values);
    } catch (error) {
      form.setError('root', { message: errorText(error) });
      return;
    }
    const risky = values.username === DEFAULT_ROOT.username && values.password === DEFAULT_ROOT.password;
    if (risky) toast('warning', t('signIn.login.defaultPassword'));
    else toast('success', t('signIn.login.success'));
    await navigate(back, { replace: true });
  });

  const { control, formState } = form;
  const mayRegister =
    status !== undefined && status.register_enabled !== false && !status.self_use_mode_enabled;
  return (
    <DoorPage title={t('signIn.login.title')}>
      <Box sx={{ display: 'grid', gap: 2 }}>
        {search.get('expired') === 'true' && <Alert severity="info">{t('signIn.login.expired')}</Alert>}
        {status?.password_login_enabled === false && (
          <Alert severity="warning">{t('signIn.login.off')}</Alert>
        )}
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
              label={t('signIn.login.username')}
              autoComplete="username"
              autoFocus
            />
            <SecretField
              control={control}
              name="password"
              label={t('signIn.login.password')}
              autoComplete="current-password"
            />
            {formState.errors.root?.message !== undefined && (
              <Alert severity="error" role="alert">
                {formState.errors.root.message}
              </Alert>
            )}
            <Button type="submit" variant="contained" loading={formState.isSubmitting}>
              {t('signIn.login.submit')}
            </Button>
          </Box>
        </Section>
        {mayRegister && (
          <Typography variant="body2" color="textSecondary" sx={{ textAlign: 'center' }}>
            {t('signIn.login.noAccount')}{' '}
            <Link component={RouterLink} underline="always" to="/register">
              {t('signIn.login.register')}
            </Link>
          </Typography>
        )}
      </Box>
    </DoorPage>
  );
}

/** The path a guard came from; only paths of this console are followed. */
function backPath(state: unknown): string | undefined {
  if (typeof state !== 'object' || state === null || !('back' in state)) return undefined;
  return typeof state.back === 'string' && /^\/(?!\/)/.test(state.back) ? state.back : undefined;
}

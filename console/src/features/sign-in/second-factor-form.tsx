import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Typography from '@mui/material/Typography';
import { useState } from 'react';
import { useForm } from 'react-hook-form';
import { useTranslation } from 'react-i18next';
import { FailureAlert } from '../../shared/feedback/failure-alert';
import { isApiError } from '../../api/api-error';
import { toast } from '../../shared/feedback/toast';
import { useErrorText } from '../../shared/feedback/use-error-text';
import { PlainForm } from '../../shared/form/plain-form';
import { TextField } from '../../shared/form/text-field';
import { isSixDigits, withoutGaps } from '../../shared/identity/six-digits';
import type { StoredUser } from '../../api/current-user';
import { useSecondFactor } from './api';

/** The server's word for a first step that is too long ago. */
const EXPIRED = 'second_step_expired';
const RECOVERY_CODE = /^.{6,64}$/s;

interface SecondFactorFormProps {
  ticket: string;
  onUser: (user: StoredUser) => void;
  onBack: () => void;
}

/** The second step of a sign-in: six digits of an authenticator app, or one of the recovery codes. */
export function SecondFactorForm({ ticket, onUser, onBack }: SecondFactorFormProps) {
  const { t } = useTranslation();
  const [byRecovery, setByRecovery] = useState(false);
  const swap = () => setByRecovery(!byRecovery);
  return (
    <Box sx={{ display: 'grid', gap: 2 }}>
      <Typography variant="body2" color="textSecondary">
        {byRecovery ? t('signIn.second.recoveryHelp') : t('signIn.second.help')}
      </Typography>
      <CodeForm
        key={String(byRecovery)}
        ticket={ticket}
        byRecovery={byRecovery}
        onUser={onUser}
        onBack={onBack}
      />
      <Box sx={{ display: 'flex', justifyContent: 'space-between', flexWrap: 'wrap', gap: 1 }}>
        <Button size="small" color="inherit" onClick={onBack}>
          {t('signIn.second.back')}
        </Button>
        <Button size="small" onClick={swap}>
          {byRecovery ? t('signIn.second.useApp') : t('signIn.second.useRecovery')}
        </Button>
      </Box>
    </Box>
  );
}

interface CodeFormProps {
  ticket: string;
  byRecovery: boolean;
  onUser: (user: StoredUser) => void;
  onBack: () => void;
}

function CodeForm({ ticket, byRecovery, onUser, onBack }: CodeFormProps) {
  const { t } = useTranslation();
  const errorText = useErrorText();
  const confirm = useSecondFactor();
  const form = useForm({ defaultValues: { code: '' } });
  const isWellFormed = (code: string) =>
    byRecovery
      ? RECOVERY_CODE.test(code.trim()) || t('signIn.second.recoveryMissing')
      : isSixDigits(code) || t('identity.code.sixDigits');
  const failure = form.formState.errors.root?.message;
  const submit = form.handleSubmit(async ({ code }) => {
    try {
      onUser(await confirm.mutateAsync({ ticket, code: byRecovery ? code.trim() : withoutGaps(code) }));
    } catch (error) {
      if (isApiError(error) && error.code === EXPIRED) {
        toast('error', errorText(error));
        onBack();
        return;
      }
      form.setValue('code', '');
      form.setError('root', { message: errorText(error) });
      form.setFocus('code');
    }
  });
  return (
    <PlainForm onSubmit={submit}>
      <TextField
        control={form.control}
        name="code"
        label={byRecovery ? t('signIn.second.recoveryCode') : t('signIn.second.code')}
        autoComplete={byRecovery ? 'off' : 'one-time-code'}
        mono
        autoFocus
        rules={{ validate: isWellFormed }}
      />
      <FailureAlert failure={failure} />
      <Button type="submit" variant="contained" loading={form.formState.isSubmitting}>
        {t('signIn.second.submit')}
      </Button>
    </PlainForm>
  );
}

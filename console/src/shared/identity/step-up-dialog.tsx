import FingerprintRounded from '@mui/icons-material/FingerprintRounded';
import { zodResolver } from '@hookform/resolvers/zod';
import Button from '@mui/material/Button';
import Skeleton from '@mui/material/Skeleton';
import Typography from '@mui/material/Typography';
import { useQuery } from '@tanstack/react-query';
import { useMemo, useState } from 'react';
import { useForm } from 'react-hook-form';
import { useTranslation } from 'react-i18next';
import * as z from 'zod/mini';
import { DialogForm } from '../dialog/dialog-form';
import { useErrorText } from '../feedback/use-error-text';
import { SecretField, TextField } from '../form/text-field';
import { stepUpMethodsQuery, proveByPasskey, proveByText, type StepUpMethod } from './step-up.api';

interface StepUpDialogProps {
  open: boolean;
  onProven: () => void;
  onClose: () => void;
}

/** Asks who is there once more: password, code or passkey. */
export function StepUpDialog({ open, onProven, onClose }: StepUpDialogProps) {
  const { t } = useTranslation();
  const { data } = useQuery({ ...stepUpMethodsQuery, enabled: open });
  const methods: readonly StepUpMethod[] = data?.methods ?? [];
  const [chosen, setChosen] = useState<'password' | '2fa' | null>(null);
  const method = chosen ?? (methods.includes('password') || !methods.includes('2fa') ? 'password' : '2fa');
  const other = method === 'password' ? '2fa' : 'password';
  const schema = useMemo(
    () =>
      z.object({
        proof: z.string().check(z.trim(), z.minLength(1, t(`identity.proof.missing.${method}`))),
      }),
    [method, t],
  );
  const form = useForm({ resolver: zodResolver(schema), defaultValues: { proof: '' } });
  const Field = method === 'password' ? SecretField : TextField;
  return (
    <DialogForm
      open={open}
      title={t('identity.proof.title')}
      form={form}
      submitLabel={t('identity.proof.submit')}
      onClose={onClose}
      onSubmit={async ({ proof }) => {
        await proveByText(method, proof);
        onProven();
      }}
    >
      <Typography variant="body2" color="textSecondary">
        {t('identity.proof.help')}
      </Typography>
      {data === undefined ? (
        <Skeleton height={56} />
      ) : (
        <>
          <Field
            key={method}
            control={form.control}
            name="proof"
            label={t(`identity.proof.${method}`)}
            autoComplete={method === 'password' ? 'current-password' : 'one-time-code'}
            autoFocus
          />
          {methods.includes(other) && (
            <Button size="small" sx={{ justifySelf: 'start' }} onClick={() => setChosen(other)}>
              {t(`identity.proof.use.${other}`)}
            </Button>
          )}
          {methods.includes('passkey') && (
            <PasskeyProof
              onProven={onProven}
              onFailure={(text) => form.setError('root', { message: text })}
            />
          )}
        </>
      )}
    </DialogForm>
  );
}

function PasskeyProof({ onProven, onFailure }: { onProven: () => void; onFailure: (text: string) => void }) {
  const { t } = useTranslation();
  const errorText = useErrorText();
  const [busy, setBusy] = useState(false);
  const prove = async () => {
    setBusy(true);
    try {
      await proveByPasskey();
      onProven();
    } catch (error) {
      onFailure(errorText(error));
    } finally {
      setBusy(false);
    }
  };
  return (
    <Button
      variant="outlined"
      color="inherit"
      startIcon={<FingerprintRounded fontSize="small" />}
      loading={busy}
      onClick={() => void prove()}
    >
      {t('identity.proof.passkey')}
    </Button>
  );
}

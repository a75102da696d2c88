import FingerprintRounded from '@mui/icons-material/FingerprintRounded';
import { zodResolver } from '@hookform/resolvers/zod';
import Button from '@mui/material/Button';
import Skeleton from '@mui/material/Skeleton';
import Typography from '@mui/material/Typography';
import { useQuery } from '@tanstack/react-query';
import { createContext, useCallback, useContext, useMemo, useRef, useState, type ReactNode } from 'react';
import { useForm } from 'react-hook-form';
import { useTranslation } from 'react-i18next';
import { z } from 'zod';
import { DialogForm } from '../dialog/dialog-form';
import { useErrorText } from '../feedback/use-error-text';
import { SecretField, TextField } from '../form/text-field';
import {
  needsFreshProof,
  proofMethodsQuery,
  proveByPasskey,
  proveByText,
  type ProofMethod,
} from './fresh-proof.api';

type Freshly = <T>(action: () => Promise<T>) => Promise<T>;

const FreshProofContext = createContext<Freshly | null>(null);

/**
 * `await freshly(() => mutation.mutateAsync(…))`: when the server asks for a recent proof, the person gives one and the action
 * is done again. Fails: what the action failed with, also when the person thinks again.
 */
export function useFreshly(): Freshly {
  const freshly = useContext(FreshProofContext);
  if (freshly === null) throw new Error('useFreshly outside FreshProofProvider');
  return freshly;
}

export function FreshProofProvider({ children }: { children: ReactNode }) {
  const [open, setOpen] = useState(false);
  const answer = useRef<(proven: boolean) => void>(() => undefined);
  const prove = useCallback(() => {
    answer.current(false);
    setOpen(true);
    return new Promise<boolean>((resolve) => {
      answer.current = resolve;
    });
  }, []);
  const close = useCallback((proven: boolean) => {
    setOpen(false);
    answer.current(proven);
    answer.current = () => undefined;
  }, []);
  const freshly = useCallback<Freshly>(
    async (action) => {
      try {
        return await action();
      } catch (error) {
        if (!needsFreshProof(error) || !(await prove())) throw error;
        return action();
      }
    },
    [prove],
  );
  return (
    <FreshProofContext value={freshly}>
      {children}
      <ProofDialog open={open} onProven={() => close(true)} onClose={() => close(false)} />
    </FreshProofContext>
  );
}

interface ProofDialogProps {
  open: boolean;
  onProven: () => void;
  onClose: () => void;
}

function ProofDialog({ open, onProven, onClose }: ProofDialogProps) {
  const { t } = useTranslation();
  const { data } = useQuery({ ...proofMethodsQuery, enabled: open });
  const methods: readonly ProofMethod[] = data?.methods ?? [];
  const [chosen, setChosen] = useState<'password' | '2fa' | null>(null);
  const method = chosen ?? (methods.includes('password') || !methods.includes('2fa') ? 'password' : '2fa');
  const other = method === 'password' ? '2fa' : 'password';
  const schema = useMemo(
    () =>
      z.object({
        proof: z
          .string()
          .trim()
          .min(1, t(`identity.proof.missing.${method}`)),
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

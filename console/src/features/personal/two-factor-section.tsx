import { zodResolver } from '@hookform/resolvers/zod';
import Alert from '@mui/material/Alert';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Skeleton from '@mui/material/Skeleton';
import Typography from '@mui/material/Typography';
import { useQuery } from '@tanstack/react-query';
import { useMemo, useState } from 'react';
import { useForm } from 'react-hook-form';
import { useTranslation } from 'react-i18next';
import * as z from 'zod/mini';
import { lazyDialog } from '../../shared/feedback/lazy-dialog';
import { DialogForm } from '../../shared/dialog/dialog-form';
import { Failed } from '../../shared/feedback/failed';
import { StatusTag } from '../../shared/feedback/status-tag';
import { toast } from '../../shared/feedback/toast';
import { SecretField, TextField } from '../../shared/form/text-field';
import { Section } from '../../shared/page/section';
import {
  twoFactorQuery,
  useDisableTwoFactor,
  useRenewRecoveryCodes,
  type TwoFactorStatus,
} from './two-factor.api';

const TwoFactorSetup = lazyDialog(
  async () => (await import('./two-factor-setup')).TwoFactorSetup,
  ({ open }) => open,
);
const RecoveryCodes = lazyDialog(
  async () => (await import('./recovery-codes')).RecoveryCodes,
  ({ codes }) => codes !== null,
);

/** Recovery codes left at which the page warns. */
const FEW_CODES = 3;

/** Two-factor sign-in by an authenticator app. */
export function TwoFactorSection() {
  const { t } = useTranslation();
  const { data, error, isError, refetch } = useQuery(twoFactorQuery);
  const tag =
    data === undefined ? undefined : data.enabled ? (
      <StatusTag tone="ok">{t('personal.twoFactor.on')}</StatusTag>
    ) : (
      <StatusTag tone="neutral">{t('personal.twoFactor.off')}</StatusTag>
    );
  return (
    <Section title={t('personal.twoFactor.title')} explanation={t('personal.twoFactor.help')} action={tag}>
      {isError ? (
        <Failed title={t('personal.twoFactor.failed')} error={error} onRetry={() => void refetch()} />
      ) : data === undefined ? (
        <Skeleton height={36} />
      ) : (
        <Controls status={data} />
      )}
    </Section>
  );
}

function Controls({ status }: { status: TwoFactorStatus }) {
  const { t } = useTranslation();
  const [dialog, setDialog] = useState<'setup' | 'renew' | 'disable' | null>(null);
  const [codes, setCodes] = useState<string[] | null>(null);
  const close = () => setDialog(null);
  const show = (fresh: string[]) => {
    setDialog(null);
    setCodes(fresh);
  };
  const left = status.backup_codes_remaining;
  return (
    <Box sx={{ display: 'grid', gap: 1.5 }}>
      {status.locked && <Alert severity="warning">{t('personal.twoFactor.locked')}</Alert>}
      {status.enabled && (
        <Typography variant="body2" color={left <= FEW_CODES ? 'warning' : 'textSecondary'}>
          {t('personal.twoFactor.codesLeft', { count: left })}
        </Typography>
      )}
      <Box sx={{ display: 'flex', gap: 1, flexWrap: 'wrap' }}>
        {status.enabled ? (
          <>
            <Button variant="outlined" onClick={() => setDialog('renew')}>
              {t('personal.twoFactor.renew')}
            </Button>
            <Button variant="outlined" color="error" onClick={() => setDialog('disable')}>
              {t('personal.twoFactor.disable')}
            </Button>
          </>
        ) : (
          <Button variant="outlined" onClick={() => setDialog('setup')}>
            {t('personal.twoFactor.setup')}
          </Button>
        )}
      </Box>
      <TwoFactorSetup
        open={dialog === 'setup'}
        hasPassword={status.has_password}
        onClose={close}
        onDone={show}
      />
      <RenewDialog open={dialog === 'renew'} onClose={close} onDone={show} />
      <DisableDialog open={dialog === 'disable'} hasPassword={status.has_password} onClose={close} />
      <RecoveryCodes codes={codes} onClose={() => setCodes(null)} />
    </Box>
  );
}

interface RenewDialogProps {
  open: boolean;
  onClose: () => void;
  onDone: (recoveryCodes: string[]) => void;
}

function RenewDialog({ open, onClose, onDone }: RenewDialogProps) {
  const { t } = useTranslation();
  const renew = useRenewRecoveryCodes();
  const schema = useMemo(
    () => z.object({ code: z.string().check(z.trim(), z.minLength(1, t('identity.code.missing'))) }),
    [t],
  );
  const form = useForm({ resolver: zodResolver(schema), defaultValues: { code: '' } });
  return (
    <DialogForm
      open={open}
      title={t('personal.twoFactor.renew')}
      form={form}
      submitLabel={t('personal.twoFactor.renewAction')}
      onClose={onClose}
      onSubmit={async (values) => onDone(await renew.mutateAsync(values))}
    >
      <Typography variant="body2" color="textSecondary">
        {t('personal.twoFactor.renewHelp')}
      </Typography>
      <TextField
        control={form.control}
        name="code"
        label={t('personal.twoFactor.code')}
        autoComplete="one-time-code"
        mono
        autoFocus
      />
    </DialogForm>
  );
}

interface DisableDialogProps {
  open: boolean;
  hasPassword: boolean;
  onClose: () => void;
}

function DisableDialog({ open, hasPassword, onClose }: DisableDialogProps) {
  const { t } = useTranslation();
  const disable = useDisableTwoFactor();
  const schema = useMemo(
    () =>
      z.object({
        code: z.string().check(z.trim(), z.minLength(1, t('identity.code.missing'))),
        password: hasPassword
          ? z.string().check(z.minLength(1, t('personal.password.originalRequired')))
          : z.string(),
      }),
    [hasPassword, t],
  );
  const form = useForm({ resolver: zodResolver(schema), defaultValues: { code: '', password: '' } });
  return (
    <DialogForm
      open={open}
      title={t('personal.twoFactor.disable')}
      form={form}
      submitLabel={t('personal.twoFactor.disableAction')}
      danger
      onClose={onClose}
      onSubmit={async (proof) => {
        await disable.mutateAsync(proof);
        toast('success', t('personal.twoFactor.disabled'));
        onClose();
      }}
    >
      <Typography variant="body2" color="textSecondary">
        {t('personal.twoFactor.disableHelp')}
      </Typography>
      <TextField
        control={form.control}
        name="code"
        label={t('personal.twoFactor.anyCode')}
        autoComplete="one-time-code"
        mono
        autoFocus
      />
      {hasPassword && (
        <SecretField
          control={form.control}
          name="password"
          label={t('personal.password.original')}
          autoComplete="current-password"
        />
      )}
    </DialogForm>
  );
}

import { zodResolver } from '@hookform/resolvers/zod';
import Box from '@mui/material/Box';
import Skeleton from '@mui/material/Skeleton';
import Typography from '@mui/material/Typography';
import { QRCodeSVG } from 'qrcode.react';
import { useEffect, useMemo } from 'react';
import { useForm } from 'react-hook-form';
import { useTranslation } from 'react-i18next';
import * as z from 'zod/mini';
import { FailureAlert } from '../../shared/feedback/failure-alert';
import { DialogForm } from '../../shared/dialog/dialog-form';
import { SecretField, TextField } from '../../shared/form/text-field';
import { sixDigitsSchema } from '../../shared/identity/identity.schema';
import { MONO } from '../../shared/format/mono';
import { CopyButton } from '../../shared/value/copyable';
import { useBeginTwoFactor, useEnableTwoFactor } from './two-factor.api';

const QR_SIZE_PX = 176;

interface TwoFactorSetupProps {
  open: boolean;
  /** Accounts that came in by an outside service have none. */
  hasPassword: boolean;
  onClose: () => void;
  onDone: (recoveryCodes: string[]) => void;
}

/** Enrols an authenticator app: a QR code to scan, then a code of the app as proof. */
export function TwoFactorSetup({ open, hasPassword, onClose, onDone }: TwoFactorSetupProps) {
  const { t } = useTranslation();
  const { mutate: begin, data, error, reset } = useBeginTwoFactor();
  const enable = useEnableTwoFactor();
  const schema = useMemo(
    () =>
      z.object({
        code: sixDigitsSchema(t),
        password: hasPassword
          ? z.string().check(z.minLength(1, t('personal.password.originalRequired')))
          : z.string(),
      }),
    [hasPassword, t],
  );
  const form = useForm({ resolver: zodResolver(schema), defaultValues: { code: '', password: '' } });
  useEffect(() => {
    if (open) begin();
    else reset();
  }, [open, begin, reset]);
  return (
    <DialogForm
      open={open}
      title={t('personal.twoFactor.setup')}
      form={form}
      submitLabel={t('personal.twoFactor.enable')}
      onClose={onClose}
      onSubmit={async (proof) => onDone(await enable.mutateAsync(proof))}
    >
      <FailureAlert failure={error} />
      <Typography variant="body2" color="textSecondary">
        {t('personal.twoFactor.scan')}
      </Typography>
      <Box sx={{ display: 'grid', gap: 1, justifyItems: 'center' }}>
        {data === undefined ? (
          <Skeleton variant="rounded" width={QR_SIZE_PX + 24} height={QR_SIZE_PX + 24} />
        ) : (
          <>
            <Box sx={{ p: 1.5, bgcolor: '#fff', borderRadius: '8px', lineHeight: 0 }}>
              <QRCodeSVG
                value={data.qr_code_data}
                size={QR_SIZE_PX}
                title={t('personal.twoFactor.picture')}
              />
            </Box>
            <Box sx={{ display: 'flex', alignItems: 'center', gap: 0.5, maxWidth: '100%' }}>
              <Box component="code" sx={{ fontFamily: MONO, fontSize: 12.5, overflowWrap: 'anywhere' }}>
                {data.secret}
              </Box>
              <CopyButton
                text={data.secret}
                label={t('common.copyNamed', { name: t('personal.twoFactor.secret') })}
              />
            </Box>
          </>
        )}
      </Box>
      <TextField
        control={form.control}
        name="code"
        label={t('personal.twoFactor.code')}
        help={t('personal.twoFactor.codeHelp')}
        autoComplete="one-time-code"
        mono
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

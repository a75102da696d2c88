import { zodResolver } from '@hookform/resolvers/zod';
import Alert from '@mui/material/Alert';
import Box from '@mui/material/Box';
import Typography from '@mui/material/Typography';
import { useMemo } from 'react';
import { useForm } from 'react-hook-form';
import { useTranslation } from 'react-i18next';
import * as z from 'zod/mini';
import { DialogForm } from '../dialog/dialog-form';
import { TextField } from '../form/text-field';
import { useStatus } from '../session/status';
import { LIMITS } from '../form/limits';
import { atMost } from '../form/rules';

/** The word official accounts of this family answer with a code. */
const KEYWORD = '验证码';

interface WeChatDialogProps {
  open: boolean;
  submitLabel: string;
  /** Awaited; the dialog shows what it throws. */
  onCode: (code: string) => Promise<void>;
  onClose: () => void;
}

/** The operator's QR code, and the code its official account answers with. */
export function WeChatDialog({ open, submitLabel, onCode, onClose }: WeChatDialogProps) {
  const { t } = useTranslation();
  const picture = useStatus()?.wechat_qrcode ?? '';
  const schema = useMemo(
    () =>
      z.object({
        code: z
          .string()
          .check(z.trim(), z.minLength(1, t('identity.wechat.codeMissing')), atMost(t, LIMITS.weChatCode)),
      }),
    [t],
  );
  const form = useForm({ resolver: zodResolver(schema), defaultValues: { code: '' } });
  return (
    <DialogForm
      open={open}
      title={t('identity.wechat.title')}
      form={form}
      submitLabel={submitLabel}
      onClose={onClose}
      onSubmit={({ code }) => onCode(code)}
    >
      {picture === '' ? (
        <Alert severity="warning">{t('identity.wechat.noPicture')}</Alert>
      ) : (
        <Box
          component="img"
          src={picture}
          alt={t('identity.wechat.picture')}
          referrerPolicy="no-referrer"
          sx={{ width: 200, height: 200, objectFit: 'contain', mx: 'auto', bgcolor: '#fff', p: 1 }}
        />
      )}
      <Typography variant="body2" color="textSecondary">
        {t('identity.wechat.help', { word: KEYWORD })}
      </Typography>
      <TextField control={form.control} name="code" label={t('identity.wechat.code')} autoFocus />
    </DialogForm>
  );
}

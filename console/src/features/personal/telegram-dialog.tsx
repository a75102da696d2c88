import Button from '@mui/material/Button';
import Dialog from '@mui/material/Dialog';
import DialogActions from '@mui/material/DialogActions';
import DialogContent from '@mui/material/DialogContent';
import DialogTitle from '@mui/material/DialogTitle';
import Skeleton from '@mui/material/Skeleton';
import Typography from '@mui/material/Typography';
import { useEffect, useId } from 'react';
import { useTranslation } from 'react-i18next';
import { FailureAlert } from '../../shared/feedback/failure-alert';
import { TelegramWidget } from '../../shared/identity/telegram-widget';
import { useBeginTelegramBind } from '../../shared/identity/telegram-bind';
import { useFreshly } from '../../shared/identity/step-up';

interface TelegramDialogProps {
  open: boolean;
  onClose: () => void;
}

/** Telegram's own button, once the server has written down that this account is to be bound. */
export function TelegramDialog({ open, onClose }: TelegramDialogProps) {
  const { t } = useTranslation();
  const id = useId();
  const freshly = useFreshly();
  const { mutateAsync, isSuccess, error, reset } = useBeginTelegramBind();
  useEffect(() => {
    if (!open) {
      reset();
      return;
    }
    // The dialog shows the mutation's own error.
    freshly(() => mutateAsync()).catch(() => undefined);
  }, [open, freshly, mutateAsync, reset]);
  return (
    <Dialog open={open} onClose={onClose} fullWidth maxWidth="xs" aria-labelledby={id}>
      <DialogTitle id={id}>{t('personal.bindings.bindTelegram')}</DialogTitle>
      <DialogContent sx={{ display: 'grid', gap: 2 }}>
        <Typography variant="body2" color="textSecondary">
          {t('personal.bindings.telegramHelp')}
        </Typography>
        <FailureAlert failure={error} />
        {isSuccess ? <TelegramWidget intent="bind" /> : error === null && <Skeleton height={40} />}
      </DialogContent>
      <DialogActions>
        <Button color="inherit" onClick={onClose}>
          {t('common.cancel')}
        </Button>
      </DialogActions>
    </Dialog>
  );
}

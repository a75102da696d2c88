import Button from '@mui/material/Button';
import Dialog from '@mui/material/Dialog';
import DialogActions from '@mui/material/DialogActions';
import DialogContent from '@mui/material/DialogContent';
import Typography from '@mui/material/Typography';
import { useId, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { DialogHeading } from '../../shared/dialog/dialog-heading';
import type { User } from './api';
import { Factors } from './user-factors';

interface UserSecurityDialogProps {
  /** Null = closed. */
  user: User | null;
  onClose: () => void;
}

/** Protection of an account besides its password, and recovery after a lost phone. */
export function UserSecurityDialog({ user, onClose }: UserSecurityDialogProps) {
  const { t } = useTranslation();
  const id = useId();
  // A dialog that closes still shows whom it was about.
  const [shown, setShown] = useState(user);
  if (user !== null && user !== shown) setShown(user);
  return (
    <Dialog open={user !== null} onClose={onClose} fullWidth maxWidth="xs" aria-labelledby={id}>
      <DialogHeading
        id={id}
        title={t('users.security.title', { name: shown?.username ?? '' })}
        onClose={onClose}
      />
      <DialogContent>
        <Typography variant="body2" color="textSecondary" sx={{ mb: 2 }}>
          {t('users.security.help')}
        </Typography>
        {shown !== null && <Factors user={shown} />}
      </DialogContent>
      <DialogActions>
        <Button onClick={onClose}>{t('common.close')}</Button>
      </DialogActions>
    </Dialog>
  );
}

import Alert from '@mui/material/Alert';
import Button from '@mui/material/Button';
import Dialog from '@mui/material/Dialog';
import DialogActions from '@mui/material/DialogActions';
import DialogContent from '@mui/material/DialogContent';
import DialogTitle from '@mui/material/DialogTitle';
import TextField from '@mui/material/TextField';
import Typography from '@mui/material/Typography';
import { type SubmitEvent, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { AccountLink } from '../../shared/accounts/account-link';
import { toast } from '../../shared/feedback/toast';
import { useErrorText } from '../../shared/feedback/use-error-text';
import { LIMITS } from '../../shared/form/limits';
import { Facts } from '../../shared/value/facts';
import { Moment } from '../../shared/value/moment';
import { type AdministeredToken, useFindToken, useLockToken } from './administered-tokens.api';
import { TokenState } from './token-state';

interface LockTokenDialogProps {
  /** Null = closed. */
  token: AdministeredToken | null;
  onClose: () => void;
}

/** Asks for the reason of a lock, which the owner reads. */
export function LockTokenDialog({ token, onClose }: LockTokenDialogProps) {
  const { t } = useTranslation();
  const errorText = useErrorText();
  const lock = useLockToken();
  const [reason, setReason] = useState('');
  const close = () => {
    setReason('');
    lock.reset();
    onClose();
  };
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    if (token === null || reason.trim() === '') return;
    lock.mutate(
      { id: token.id, reason },
      {
        onSuccess: () => {
          toast('success', t('users.tokens.lockDone', { name: token.name }));
          close();
        },
      },
    );
  };
  return (
    <Dialog open={token !== null} onClose={close} fullWidth maxWidth="xs" aria-labelledby="lock-token">
      <form onSubmit={submit}>
        <DialogTitle id="lock-token">{t('users.tokens.lockTitle', { name: token?.name ?? '' })}</DialogTitle>
        <DialogContent sx={{ display: 'grid', gap: 2 }}>
          <Typography variant="body2">{t('users.tokens.lockText')}</Typography>
          <TextField
            label={t('users.tokens.reason')}
            value={reason}
            required
            autoFocus
            onChange={(event) => setReason(event.target.value)}
            slotProps={{ htmlInput: { maxLength: LIMITS.tokenLockReason } }}
            helperText={t('users.tokens.reasonHelp')}
          />
          {lock.isError && <Alert severity="error">{errorText(lock.error)}</Alert>}
        </DialogContent>
        <DialogActions>
          <Button onClick={close}>{t('common.cancel')}</Button>
          <Button
            type="submit"
            color="error"
            variant="contained"
            disabled={lock.isPending || reason.trim() === ''}
          >
            {t('users.tokens.lock')}
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  );
}

interface FindTokenDialogProps {
  open: boolean;
  onClose: () => void;
  onLock: (token: AdministeredToken) => void;
}

/** Finds the token of a pasted key. The key stays out of the address, and is forgotten when the dialog closes. */
export function FindTokenDialog({ open, onClose, onLock }: FindTokenDialogProps) {
  const { t } = useTranslation();
  const errorText = useErrorText();
  const find = useFindToken();
  const [key, setKey] = useState('');
  const close = () => {
    setKey('');
    find.reset();
    onClose();
  };
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    if (key.trim() !== '') find.mutate(key.trim());
  };
  const token = find.data;
  return (
    <Dialog open={open} onClose={close} fullWidth maxWidth="sm" aria-labelledby="find-token">
      <form onSubmit={submit}>
        <DialogTitle id="find-token">{t('users.tokens.findTitle')}</DialogTitle>
        <DialogContent sx={{ display: 'grid', gap: 2 }}>
          <Typography variant="body2">{t('users.tokens.findText')}</Typography>
          <TextField
            label={t('users.tokens.column.key')}
            type="password"
            autoComplete="off"
            value={key}
            autoFocus
            onChange={(event) => setKey(event.target.value)}
          />
          {find.isError && <Alert severity="error">{errorText(find.error)}</Alert>}
          {token !== undefined && (
            <Facts
              facts={[
                [t('users.tokens.column.name'), token.name],
                [
                  t('users.tokens.column.owner'),
                  <AccountLink key="owner" id={token.user_id} name={token.username} />,
                ],
                [t('users.tokens.column.status'), <TokenState key="status" token={token} />],
                [t('users.tokens.column.lastUsed'), <Moment key="used" seconds={token.last_used_time} />],
              ]}
            />
          )}
        </DialogContent>
        <DialogActions>
          <Button onClick={close}>{t('common.close')}</Button>
          {token?.lock === null && (
            <Button color="error" onClick={() => (close(), onLock(token))}>
              {t('users.tokens.lock')}
            </Button>
          )}
          <Button type="submit" variant="contained" disabled={find.isPending}>
            {t('users.tokens.find')}
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  );
}

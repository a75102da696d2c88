import Button from '@mui/material/Button';
import Dialog from '@mui/material/Dialog';
import DialogActions from '@mui/material/DialogActions';
import DialogContent from '@mui/material/DialogContent';
import DialogTitle from '@mui/material/DialogTitle';
import OutlinedInput from '@mui/material/OutlinedInput';
import { useTranslation } from 'react-i18next';

/** A text the browser would not copy, ready to be copied by hand. */
export function ManualCopyDialog({ text, onClose }: { text: string | null; onClose: () => void }) {
  const { t } = useTranslation();
  return (
    <Dialog open={text !== null} onClose={onClose} fullWidth maxWidth="sm" aria-labelledby="manual-copy">
      <DialogTitle id="manual-copy">{t('common.copyByHand')}</DialogTitle>
      <DialogContent>
        <OutlinedInput
          value={text ?? ''}
          readOnly
          multiline
          fullWidth
          maxRows={10}
          autoFocus
          inputProps={{ 'aria-label': t('common.copyText') }}
          onFocus={(event) => event.target.select()}
          sx={{ fontFamily: 'monospace', fontSize: 13 }}
        />
      </DialogContent>
      <DialogActions>
        <Button onClick={onClose}>{t('common.close')}</Button>
      </DialogActions>
    </Dialog>
  );
}

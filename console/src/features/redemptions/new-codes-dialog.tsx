import ContentCopyRounded from '@mui/icons-material/ContentCopyRounded';
import DownloadRounded from '@mui/icons-material/DownloadRounded';
import Button from '@mui/material/Button';
import Dialog from '@mui/material/Dialog';
import DialogActions from '@mui/material/DialogActions';
import DialogContent from '@mui/material/DialogContent';
import OutlinedInput from '@mui/material/OutlinedInput';
import { useTranslation } from 'react-i18next';
import { saveText } from '../../shared/browser/save-text';
import { DialogHeading } from '../../shared/dialog/dialog-heading';
import { useCopy } from '../../shared/dialog/manual-copy';
import { MONO } from '../../shared/format/mono';

export interface NewCodes {
  readonly name: string;
  readonly codes: readonly string[];
}

/** The codes that were just made, to be taken along. They stay readable in the list. */
export function NewCodesDialog({ made, onClose }: { made: NewCodes; onClose: () => void }) {
  const { t } = useTranslation();
  const copy = useCopy();
  const text = made.codes.join('\n');
  const count = made.codes.length;
  return (
    <Dialog open onClose={onClose} fullWidth maxWidth="sm" aria-labelledby="new-codes">
      <DialogHeading
        id="new-codes"
        title={t('redemptions.made.title', { count })}
        note={t('redemptions.made.help')}
        onClose={onClose}
      />
      <DialogContent>
        <OutlinedInput
          value={text}
          readOnly
          multiline
          fullWidth
          minRows={Math.min(count, 3)}
          maxRows={12}
          onFocus={(event) => event.target.select()}
          inputProps={{ 'aria-label': t('redemptions.made.codes') }}
          sx={{ '& textarea': { fontFamily: MONO, fontSize: 13 } }}
        />
      </DialogContent>
      <DialogActions>
        <Button startIcon={<DownloadRounded />} onClick={() => saveText(`${made.name}.txt`, `${text}\n`)}>
          {t('redemptions.made.download')}
        </Button>
        <Button
          variant="contained"
          startIcon={<ContentCopyRounded />}
          onClick={() => void copy(text, t('redemptions.done.copied', { count }))}
        >
          {t('redemptions.made.copy', { count })}
        </Button>
      </DialogActions>
    </Dialog>
  );
}

import Button from '@mui/material/Button';
import Dialog from '@mui/material/Dialog';
import DialogActions from '@mui/material/DialogActions';
import DialogContent from '@mui/material/DialogContent';
import DialogTitle from '@mui/material/DialogTitle';
import OutlinedInput from '@mui/material/OutlinedInput';
import { createContext, useCallback, useContext, useState, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { copyText } from '../browser/copy-text';
import { toast } from '../feedback/toast';

type Copy = (text: string, confirmation?: string) => Promise<void>;

const CopyContext = createContext<Copy | null>(null);

/** Copies a text and says so; when the browser refuses, the text is shown for copying by hand. */
export function useCopy(): Copy {
  const copy = useContext(CopyContext);
  if (copy === null) throw new Error('useCopy outside CopyProvider');
  return copy;
}

export function CopyProvider({ children }: { children: ReactNode }) {
  const { t } = useTranslation();
  const [text, setText] = useState<string | null>(null);
  const copy = useCallback<Copy>(
    async (wanted, confirmation) => {
      if (await copyText(wanted)) toast('success', confirmation ?? t('common.copied'));
      else setText(wanted);
    },
    [t],
  );
  return (
    <CopyContext value={copy}>
      {children}
      <Dialog
        open={text !== null}
        onClose={() => setText(null)}
        fullWidth
        maxWidth="sm"
        aria-labelledby="manual-copy"
      >
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
          <Button onClick={() => setText(null)}>{t('common.close')}</Button>
        </DialogActions>
      </Dialog>
    </CopyContext>
  );
}

import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Dialog from '@mui/material/Dialog';
import DialogActions from '@mui/material/DialogActions';
import DialogContent from '@mui/material/DialogContent';
import useMediaQuery from '@mui/material/useMediaQuery';
import { useId } from 'react';
import { useTranslation } from 'react-i18next';
import { DialogHeading } from '../dialog/dialog-heading';
import { useCopy } from '../dialog/manual-copy';
import { MONO } from '../format/mono';

interface TextDialogProps {
  open: boolean;
  title: string;
  text: string;
  /** Text of a machine, as it was written. */
  mono?: boolean;
  onClose: () => void;
}

/** The whole of a text: to be read, scrolled by keyboard too, and copied. */
export function TextDialog({ open, title, text, mono = false, onClose }: TextDialogProps) {
  const { t } = useTranslation();
  const id = useId();
  const copy = useCopy();
  const isPhone = useMediaQuery('(max-width:600px)');
  return (
    <Dialog
      open={open}
      onClose={onClose}
      fullWidth
      maxWidth={mono ? 'md' : 'sm'}
      fullScreen={isPhone}
      aria-labelledby={id}
    >
      <DialogHeading id={id} title={title} onClose={onClose} />
      <DialogContent tabIndex={0} role="region" aria-labelledby={id}>
        <Box
          component={mono ? 'pre' : 'p'}
          sx={{
            m: 0,
            whiteSpace: 'pre-wrap',
            overflowWrap: 'anywhere',
            fontFamily: mono ? MONO : undefined,
            fontSize: mono ? 12.5 : 14,
          }}
        >
          {text}
        </Box>
      </DialogContent>
      <DialogActions>
        <Button color="inherit" onClick={() => void copy(text)}>
          {t('common.copy')}
        </Button>
        <Button onClick={onClose}>{t('common.close')}</Button>
      </DialogActions>
    </Dialog>
  );
}

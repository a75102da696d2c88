import Button from '@mui/material/Button';
import Dialog from '@mui/material/Dialog';
import DialogActions from '@mui/material/DialogActions';
import DialogContent from '@mui/material/DialogContent';
import DialogTitle from '@mui/material/DialogTitle';
import OutlinedInput from '@mui/material/OutlinedInput';
import Typography from '@mui/material/Typography';
import { useId, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { ConfirmQuestion } from './confirm-question';

interface ConfirmDialogProps {
  question: ConfirmQuestion;
  open: boolean;
  onAnswer: (yes: boolean) => void;
}

/** The question itself; it answers once. */
export function ConfirmDialog({ question, open, onAnswer }: ConfirmDialogProps) {
  const { t } = useTranslation();
  const id = useId();
  const [typed, setTyped] = useState('');
  const blocked = question.typeToConfirm !== undefined && typed !== question.typeToConfirm;
  return (
    <Dialog
      open={open}
      onClose={() => onAnswer(false)}
      aria-labelledby={`${id}-title`}
      aria-describedby={`${id}-text`}
      maxWidth="xs"
      fullWidth
      role="alertdialog"
      slotProps={{ transition: { onExited: () => setTyped('') } }}
    >
      <DialogTitle id={`${id}-title`}>{question.title}</DialogTitle>
      <DialogContent>
        <Typography id={`${id}-text`} color="textSecondary" component="div">
          {question.consequence}
        </Typography>
        {question.typeToConfirm !== undefined && (
          <Typography component="label" htmlFor={`${id}-typed`} sx={{ display: 'block', mt: 2 }}>
            {t('common.confirm.type', { text: question.typeToConfirm })}
            <OutlinedInput
              id={`${id}-typed`}
              fullWidth
              value={typed}
              onChange={(event) => setTyped(event.target.value)}
              autoComplete="off"
              sx={{ mt: 0.5 }}
            />
          </Typography>
        )}
      </DialogContent>
      <DialogActions>
        <Button color="inherit" onClick={() => onAnswer(false)} autoFocus={question.danger === true}>
          {question.refusal ?? t('common.cancel')}
        </Button>
        <Button
          variant="contained"
          color={question.danger === true ? 'error' : 'primary'}
          disabled={blocked}
          onClick={() => onAnswer(true)}
        >
          {question.action}
        </Button>
      </DialogActions>
    </Dialog>
  );
}

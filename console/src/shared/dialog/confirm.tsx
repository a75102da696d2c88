import Button from '@mui/material/Button';
import Dialog from '@mui/material/Dialog';
import DialogActions from '@mui/material/DialogActions';
import DialogContent from '@mui/material/DialogContent';
import DialogTitle from '@mui/material/DialogTitle';
import OutlinedInput from '@mui/material/OutlinedInput';
import Typography from '@mui/material/Typography';
import {
  createContext,
  useCallback,
  useContext,
  useId,
  useMemo,
  useRef,
  useState,
  type ReactNode,
} from 'react';
import { useTranslation } from 'react-i18next';

export interface ConfirmQuestion {
  title: string;
  /** What will happen, to how many things, and whether it can be undone. */
  consequence: ReactNode;
  action: string;
  danger?: boolean;
  /** Must be typed before the action is offered: only for what cannot be undone. */
  typeToConfirm?: string;
}

type Ask = (question: ConfirmQuestion) => Promise<boolean>;

const ConfirmContext = createContext<Ask | null>(null);

/** `if (await confirm({...}))`: resolves false when the person thinks again. */
export function useConfirm(): Ask {
  const ask = useContext(ConfirmContext);
  if (ask === null) throw new Error('useConfirm outside ConfirmProvider');
  return ask;
}

export function ConfirmProvider({ children }: { children: ReactNode }) {
  const [question, setQuestion] = useState<ConfirmQuestion | null>(null);
  const [open, setOpen] = useState(false);
  const answer = useRef<(yes: boolean) => void>(() => undefined);

  const ask = useCallback<Ask>((next) => {
    answer.current(false);
    setQuestion(next);
    setOpen(true);
    return new Promise((resolve) => {
      answer.current = resolve;
    });
  }, []);

  const close = useCallback((yes: boolean) => {
    setOpen(false);
    answer.current(yes);
    answer.current = () => undefined;
  }, []);

  const value = useMemo(() => ask, [ask]);
  return (
    <ConfirmContext value={value}>
      {children}
      {question !== null && <ConfirmDialog question={question} open={open} onAnswer={close} />}
    </ConfirmContext>
  );
}

interface ConfirmDialogProps {
  question: ConfirmQuestion;
  open: boolean;
  onAnswer: (yes: boolean) => void;
}

function ConfirmDialog({ question, open, onAnswer }: ConfirmDialogProps) {
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
          {t('common.cancel')}
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

import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Dialog from '@mui/material/Dialog';
import DialogActions from '@mui/material/DialogActions';
import DialogContent from '@mui/material/DialogContent';
import DialogTitle from '@mui/material/DialogTitle';
import Typography from '@mui/material/Typography';
import { useId, type ReactNode } from 'react';
import type { FieldValues, UseFormReturn } from 'react-hook-form';
import { useTranslation } from 'react-i18next';
import { FailureAlert } from '../feedback/failure-alert';
import { useSubmitOnce } from '../form/use-submit-once';
import { useSubmit } from '../form/use-submit';

interface DialogFormProps<T extends FieldValues, Out extends FieldValues> {
  open: boolean;
  title: string;
  explanation?: string;
  maxWidth?: 'xs' | 'sm';
  form: UseFormReturn<T, unknown, Out>;
  /** Awaited; the dialog shows what it throws. Closing is up to the caller. */
  onSubmit: (values: Out) => Promise<void>;
  onClose: () => void;
  submitLabel: string;
  danger?: boolean;
  children: ReactNode;
}

/** A short form in a dialog; what was typed is forgotten when it closes. */
export function DialogForm<T extends FieldValues, Out extends FieldValues>(props: DialogFormProps<T, Out>) {
  const {
    open,
    title,
    explanation,
    maxWidth = 'xs',
    form,
    onSubmit,
    onClose,
    submitLabel,
    danger = false,
  } = props;
  const { t } = useTranslation();
  const id = useId();
  const failure = form.formState.errors.root?.message;
  const submit = useSubmitOnce(useSubmit(form, onSubmit));
  return (
    <Dialog
      open={open}
      onClose={onClose}
      fullWidth
      maxWidth={maxWidth}
      aria-labelledby={id}
      slotProps={{ transition: { onExited: () => form.reset() } }}
    >
      <DialogTitle id={id}>
        {title}
        {explanation !== undefined && (
          <Typography variant="body2" color="textSecondary" component="p">
            {explanation}
          </Typography>
        )}
      </DialogTitle>
      <Box component="form" noValidate onSubmit={(event) => void submit(event)} sx={{ display: 'contents' }}>
        <DialogContent>
          <Box sx={{ display: 'grid', gap: 2 }}>
            {props.children}
            <FailureAlert failure={failure} />
          </Box>
        </DialogContent>
        <DialogActions>
          <Button color="inherit" onClick={onClose}>
            {t('common.cancel')}
          </Button>
          <Button
            type="submit"
            variant="contained"
            color={danger ? 'error' : 'primary'}
            loading={form.formState.isSubmitting}
          >
            {submitLabel}
          </Button>
        </DialogActions>
      </Box>
    </Dialog>
  );
}

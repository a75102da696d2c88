import CloseRounded from '@mui/icons-material/CloseRounded';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Drawer from '@mui/material/Drawer';
import IconButton from '@mui/material/IconButton';
import Typography from '@mui/material/Typography';
import { useEffect, useId, type ReactNode } from 'react';
import type { FieldValues, UseFormReturn } from 'react-hook-form';
import { useTranslation } from 'react-i18next';
import { FailureAlert } from '../feedback/failure-alert';
import { ErrorSummary } from './error-summary';
import { useSubmitOnce } from './use-submit-once';
import { useSubmit } from './use-submit';
import { ofAddress, useUnsavedGuard } from './use-unsaved-guard';

interface FormDrawerProps<T extends FieldValues> {
  open: boolean;
  title: string;
  explanation?: string;
  form: UseFormReturn<T>;
  /** Awaited; the drawer shows what it throws. Closing is up to the caller. */
  onSubmit: (values: T) => Promise<void>;
  onClose: () => void;
  submitLabel: string;
  /** Name of a field, for the error summary. */
  labelOf: (field: string) => string;
  loading?: ReactNode;
  /** Above the buttons, in sight wherever the form is scrolled to. */
  notice?: ReactNode;
  /** "Cancel", when left out. */
  closeLabel?: string | undefined;
  /** In the line of the buttons, before them. */
  aside?: ReactNode;
  children: ReactNode;
}

/** A form at the right edge: 560 px, the whole screen on a phone; guards what was typed, sums up what is wrong. */
export function FormDrawer<T extends FieldValues>(props: FormDrawerProps<T>) {
  const { open, title, explanation, form, onSubmit, onClose, submitLabel, labelOf, loading } = props;
  const { notice, aside, children, closeLabel } = props;
  const { t } = useTranslation();
  const id = useId();
  const { isDirty, isSubmitting, errors } = form.formState;
  const guard = useUnsavedGuard(open && isDirty && !isSubmitting, ofAddress);
  const closeIfAllowed = async () => {
    if (await guard.mayLeave()) onClose();
  };

  const submit = useSubmitOnce(useSubmit(form, onSubmit));

  useEffect(() => {
    if (!open) return;
    const onKey = (event: KeyboardEvent) => {
      if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey)) return;
      // Else a text field submits its form as well.
      event.preventDefault();
      void submit();
    };
    window.addEventListener('keydown', onKey);
    return () => window.removeEventListener('keydown', onKey);
  });

  return (
    <Drawer
      anchor="right"
      open={open}
      onClose={() => void closeIfAllowed()}
      slotProps={{
        paper: {
          role: 'dialog',
          'aria-modal': true,
          'aria-labelledby': `${id}-title`,
          sx: { width: { xs: '100%', sm: 560 }, maxWidth: '100%', display: 'flex', flexDirection: 'column' },
        },
      }}
    >
      <Box
        sx={{
          display: 'flex',
          alignItems: 'flex-start',
          gap: 2,
          px: 3,
          py: 2,
          borderBottom: 1,
          borderColor: 'divider',
        }}
      >
        <Box sx={{ flex: 1, minWidth: 0 }}>
          <Typography id={`${id}-title`} variant="h2">
            {title}
          </Typography>
          {explanation !== undefined && (
            <Typography variant="body2" color="textSecondary">
              {explanation}
            </Typography>
          )}
        </Box>
        <IconButton
          aria-label={t('common.close')}
          onClick={() => void closeIfAllowed()}
          size="small"
          edge="end"
        >
          <CloseRounded />
        </IconButton>
      </Box>
      {loading ?? (
        <Box
          component="form"
          noValidate
          onSubmit={(event) => void submit(event)}
          sx={{ flex: 1, minHeight: 0, display: 'flex', flexDirection: 'column' }}
        >
          <Box
            sx={{
              flex: 1,
              overflowY: 'auto',
              px: 3,
              py: 2.5,
              display: 'grid',
              gap: 2.5,
              alignContent: 'start',
            }}
          >
            <ErrorSummary errors={errors} labelOf={labelOf} attempt={form.formState.submitCount} />
            {children}
          </Box>
          <Box sx={{ borderTop: 1, borderColor: 'divider' }}>
            {notice}
            <FailureAlert failure={errors.root?.message} sx={{ mx: 3, mt: 1.5 }} />
            <Box
              sx={{
                display: 'flex',
                flexWrap: 'wrap',
                gap: 1,
                alignItems: 'center',
                justifyContent: 'flex-end',
                px: 3,
                py: 1.5,
              }}
            >
              {aside}
              <Button color="inherit" onClick={() => void closeIfAllowed()}>
                {closeLabel ?? t('common.cancel')}
              </Button>
              <Button type="submit" variant="contained" loading={isSubmitting}>
                {submitLabel}
              </Button>
            </Box>
          </Box>
        </Box>
      )}
    </Drawer>
  );
}

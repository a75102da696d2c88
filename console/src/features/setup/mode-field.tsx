import HelpOutlineRounded from '@mui/icons-material/HelpOutlineRounded';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Dialog from '@mui/material/Dialog';
import DialogActions from '@mui/material/DialogActions';
import DialogContent from '@mui/material/DialogContent';
import DialogTitle from '@mui/material/DialogTitle';
import Radio from '@mui/material/Radio';
import RadioGroup from '@mui/material/RadioGroup';
import Typography from '@mui/material/Typography';
import { useState } from 'react';
import { useController, type Control } from 'react-hook-form';
import { useTranslation } from 'react-i18next';
import { MODES, type SetupValues } from './setup.schema';

const DIALOG_TEXT = {
  external: 'setup.mode.dialogExternal',
  self: 'setup.mode.dialogSelf',
  demo: 'setup.mode.dialogDemo',
} as const;
const HELP = {
  external: 'setup.mode.externalHelp',
  self: 'setup.mode.selfHelp',
  demo: 'setup.mode.demoHelp',
} as const;

export function ModeField({ control }: { control: Control<SetupValues> }) {
  const { t } = useTranslation();
  const { field } = useController({ control, name: 'mode' });
  const [helpOpen, setHelpOpen] = useState(false);
  return (
    <>
      <RadioGroup {...field} aria-label={t('setup.mode.title')} sx={{ gap: 1 }}>
        {MODES.map((mode) => (
          <Box
            key={mode}
            component="label"
            sx={{
              display: 'flex',
              gap: 1,
              alignItems: 'flex-start',
              p: 1.5,
              border: 1,
              borderColor: field.value === mode ? 'primary.main' : 'divider',
              bgcolor: field.value === mode ? 'soft.accent' : undefined,
              borderRadius: '8px',
              cursor: 'pointer',
            }}
          >
            <Radio value={mode} sx={{ p: 0.25 }} />
            <span>
              <Typography component="span" variant="subtitle2" sx={{ display: 'block' }}>
                {t(`setup.mode.${mode}`)}
              </Typography>
              <Typography component="span" variant="body2" color="textSecondary">
                {t(HELP[mode])}
              </Typography>
            </span>
          </Box>
        ))}
      </RadioGroup>
      <Button
        size="small"
        startIcon={<HelpOutlineRounded />}
        onClick={() => setHelpOpen(true)}
        sx={{ mt: 1 }}
      >
        {t('setup.mode.which')}
      </Button>
      <Dialog open={helpOpen} onClose={() => setHelpOpen(false)} maxWidth="sm" aria-labelledby="mode-help">
        <DialogTitle id="mode-help">{t('setup.mode.dialogTitle')}</DialogTitle>
        <DialogContent sx={{ display: 'grid', gap: 2 }}>
          {MODES.map((mode) => (
            <div key={mode}>
              <Typography variant="h3">{t(`setup.mode.${mode}`)}</Typography>
              <Typography color="textSecondary">{t(DIALOG_TEXT[mode])}</Typography>
            </div>
          ))}
        </DialogContent>
        <DialogActions>
          <Button onClick={() => setHelpOpen(false)}>{t('common.close')}</Button>
        </DialogActions>
      </Dialog>
    </>
  );
}

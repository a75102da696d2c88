import Alert from '@mui/material/Alert';
import AlertTitle from '@mui/material/AlertTitle';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import MenuItem from '@mui/material/MenuItem';
import Select from '@mui/material/Select';
import Typography from '@mui/material/Typography';
import { useTranslation } from 'react-i18next';

export interface FailedTest {
  readonly id: number;
  readonly model: string;
  /** Sentence of the provider or of the gateway. */
  readonly message: string;
  /** Status of the channel: 1 = it takes calls. */
  readonly status: number;
}

interface TestFailureProps {
  failed: FailedTest;
  models: readonly string[];
  isBusy: boolean;
  onModel: (model: string) => void;
  onAgain: () => void;
  onSwitchOff: () => void;
}

/** Why the test of a saved channel failed, with the ways on: another model, once more, or the channel off. */
export function TestFailure({ failed, models, isBusy, onModel, onAgain, onSwitchOff }: TestFailureProps) {
  const { t } = useTranslation();
  const isEnabled = failed.status === 1;
  return (
    <Alert
      severity="error"
      sx={{
        mx: 3,
        mt: 1.5,
        maxHeight: 260,
        overflowY: 'auto',
        '& .MuiAlert-message': { flex: 1, minWidth: 0 },
      }}
    >
      <AlertTitle sx={{ fontSize: 14 }}>
        {t('channels.saveTest.failedTitle', { model: failed.model })}
      </AlertTitle>
      <Box sx={{ overflowWrap: 'anywhere', whiteSpace: 'pre-wrap' }}>{failed.message}</Box>
      <Typography variant="body2" sx={{ mt: 0.75 }}>
        {t(isEnabled ? 'channels.saveTest.failedHelp' : 'channels.saveTest.failedHelpOff')}
      </Typography>
      <Box sx={{ display: 'flex', flexWrap: 'wrap', gap: 1, mt: 1, alignItems: 'center' }}>
        <Select
          size="small"
          value={failed.model}
          onChange={(event) => onModel(event.target.value)}
          inputProps={{ 'aria-label': t('channels.saveTest.model') }}
          sx={{ maxWidth: 220, fontSize: 13 }}
        >
          {[...new Set([failed.model, ...models])].map((model) => (
            <MenuItem key={model} value={model}>
              {model}
            </MenuItem>
          ))}
        </Select>
        <Button color="inherit" size="small" variant="outlined" loading={isBusy} onClick={onAgain}>
          {t('channels.test.again')}
        </Button>
        {isEnabled && (
          <Button color="inherit" size="small" disabled={isBusy} onClick={onSwitchOff}>
            {t('channels.saveTest.switchOff')}
          </Button>
        )}
      </Box>
    </Alert>
  );
}

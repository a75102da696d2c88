import SendRounded from '@mui/icons-material/SendRounded';
import Alert from '@mui/material/Alert';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Divider from '@mui/material/Divider';
import Typography from '@mui/material/Typography';
import { useTranslation } from 'react-i18next';
import { FailureAlert } from '../../shared/feedback/failure-alert';
import { SettingsCard, type SettingsCardProps } from './settings-card';
import { useSendTestAlert } from './provider.api';

export function AlertCard(props: SettingsCardProps) {
  const { t } = useTranslation();
  return (
    <SettingsCard
      {...props}
      mainSwitch="alertsEnabled"
      explanation={t('settings.explain.alerts')}
      footer={(unsaved) => <TestAlert unsaved={unsaved} />}
    />
  );
}

/** A test to all receivers, by the stored settings, and what became of it. */
function TestAlert({ unsaved }: { unsaved: boolean }) {
  const { t } = useTranslation();
  const send = useSendTestAlert();
  return (
    <>
      <Divider sx={{ my: 2.5 }} />
      <Box sx={{ display: 'grid', gap: 1.5, maxWidth: 720, justifyItems: 'start' }}>
        <Typography variant="body2" color="textSecondary">
          {t(unsaved ? 'settings.testAlert.saveFirst' : 'settings.testAlert.help')}
        </Typography>
        <FailureAlert failure={send.error} />
        {send.data !== undefined && (
          <Alert
            severity={send.data.reached === 0 ? 'error' : send.data.fault === '' ? 'success' : 'warning'}
            role="status"
          >
            {t('settings.testAlert.reached', { count: send.data.reached })}
            {send.data.fault !== '' && ` ${t('settings.testAlert.fault', { fault: send.data.fault })}`}
          </Alert>
        )}
        <Button
          variant="outlined"
          startIcon={<SendRounded />}
          disabled={unsaved}
          loading={send.isPending}
          onClick={() => send.mutate()}
        >
          {t('settings.testAlert.send')}
        </Button>
      </Box>
    </>
  );
}

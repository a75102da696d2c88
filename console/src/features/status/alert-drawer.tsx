import Alert from '@mui/material/Alert';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Typography from '@mui/material/Typography';
import { useTranslation } from 'react-i18next';
import { ReadingDrawer } from '../../shared/dialog/reading-drawer';
import { toast } from '../../shared/feedback/toast';
import { Facts } from '../../shared/value/facts';
import { Moment } from '../../shared/value/moment';
import { type Alert as AlertRow, useAcknowledge } from './api';

interface AlertDrawerProps {
  /** Null = closed. */
  alert: AlertRow | null;
  onClose: () => void;
}

/** One alert in full, and the button that acknowledges it. */
export function AlertDrawer({ alert, onClose }: AlertDrawerProps) {
  return (
    <ReadingDrawer open={alert !== null} onClose={onClose} title={alert?.title}>
      {alert !== null && <AlertBody alert={alert} />}
    </ReadingDrawer>
  );
}

function AlertBody({ alert }: { alert: AlertRow }) {
  const { t } = useTranslation();
  const acknowledge = useAcknowledge();
  const isOpen = alert.over_at === null;
  const submit = () =>
    acknowledge.mutate(alert.id, {
      onSuccess: () => toast('success', t('status.alerts.acknowledged')),
    });
  return (
    <Box sx={{ px: 3, py: 2.5, display: 'grid', gap: 2.5, overflowY: 'auto', minWidth: 0 }}>
      <Box sx={{ display: 'grid', gap: 1 }}>
        <Typography sx={{ overflowWrap: 'anywhere' }}>{alert.sentence}</Typography>
        <Typography color="textSecondary">{alert.remedy}</Typography>
      </Box>
      <Facts
        facts={[
          [t('status.alerts.severity'), t(`status.severity.${alert.severity}`)],
          [t('status.alerts.began'), <Moment key="since" seconds={alert.since} />],
          [t('status.alerts.raised'), <Moment key="raised" seconds={alert.opened_at} />],
          [
            t('status.alerts.ended'),
            <Moment key="over" seconds={alert.over_at ?? 0} never={t('status.alerts.lasts')} />,
          ],
          alert.repeats > 0 && [t('status.alerts.repeats'), String(alert.repeats)],
          [
            t('status.alerts.told'),
            <Moment key="told" seconds={alert.told_at} never={t('status.alerts.notTold')} />,
          ],
          alert.acknowledged_at > 0 && [
            t('status.alerts.acknowledgedBy'),
            <span key="by">
              {alert.acknowledged_by} · <Moment seconds={alert.acknowledged_at} />
            </span>,
          ],
        ]}
      />
      {alert.tell_fault !== '' && (
        <Alert severity="warning">{t('status.alerts.tellFault', { fault: alert.tell_fault })}</Alert>
      )}
      {isOpen && alert.acknowledged_at === 0 && (
        <Box sx={{ display: 'grid', gap: 1, justifyItems: 'start' }}>
          <Button variant="contained" loading={acknowledge.isPending} onClick={submit}>
            {t('status.alerts.acknowledge')}
          </Button>
          <Typography variant="body2" color="textSecondary">
            {t('status.alerts.acknowledgeHelp')}
          </Typography>
        </Box>
      )}
    </Box>
  );
}

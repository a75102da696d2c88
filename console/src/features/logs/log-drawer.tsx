import CloseRounded from '@mui/icons-material/CloseRounded';
import Box from '@mui/material/Box';
import Drawer from '@mui/material/Drawer';
import IconButton from '@mui/material/IconButton';
import Typography from '@mui/material/Typography';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { Failed } from '../../shared/feedback/failed';
import { Loading } from '../../shared/feedback/loading';
import { explanationQuery, logReference, type LogLine } from './api';
import { CallTimeline } from './call-timeline';
import { ChargeReason } from './charge-reason';
import { LogFacts } from './log-facts';
import { LOG_TYPE, logType } from './log.labels';

interface LogDrawerProps {
  line: LogLine | undefined;
  onClose: () => void;
}

/** One line in full: what happened, and why it cost this. */
export function LogDrawer({ line, onClose }: LogDrawerProps) {
  const { t } = useTranslation();
  return (
    <Drawer
      anchor="right"
      open={line !== undefined}
      onClose={onClose}
      slotProps={{
        paper: {
          role: 'dialog',
          'aria-modal': true,
          'aria-labelledby': 'log-drawer-title',
          sx: { width: { xs: '100%', sm: 640 }, maxWidth: '100%' },
        },
      }}
    >
      {line !== undefined && (
        <>
          <Box
            sx={{
              display: 'flex',
              gap: 2,
              px: 3,
              py: 2,
              borderBottom: 1,
              borderColor: 'divider',
              alignItems: 'center',
            }}
          >
            <Typography
              id="log-drawer-title"
              variant="h2"
              sx={{ flex: 1, minWidth: 0, overflowWrap: 'anywhere' }}
            >
              {t(`logs.type.${logType(line.type).word}`)}
              {line.model_name !== '' && ` · ${line.model_name}`}
            </Typography>
            <IconButton aria-label={t('common.close')} onClick={onClose} size="small" edge="end">
              <CloseRounded />
            </IconButton>
          </Box>
          <Box sx={{ overflowY: 'auto', px: 3, py: 2.5, display: 'grid', gap: 3.5, alignContent: 'start' }}>
            {line.type === LOG_TYPE.consumption && line.request_id !== null && <Explained line={line} />}
            {line.type === LOG_TYPE.error && <CallTimeline line={line} />}
            <LogFacts line={line} />
          </Box>
        </>
      )}
    </Drawer>
  );
}

function Explained({ line }: { line: LogLine }) {
  const { t } = useTranslation();
  const { data, error, isError, refetch } = useQuery(explanationQuery(logReference(line)));
  if (isError)
    return <Failed title={t('logs.drawer.explainFailed')} error={error} onRetry={() => void refetch()} />;
  if (data === undefined) return <Loading />;
  return (
    <>
      <CallTimeline line={line} explanation={data} />
      <ChargeReason explanation={data} />
    </>
  );
}

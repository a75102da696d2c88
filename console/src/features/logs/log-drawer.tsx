import CloseRounded from '@mui/icons-material/CloseRounded';
import Box from '@mui/material/Box';
import Drawer from '@mui/material/Drawer';
import IconButton from '@mui/material/IconButton';
import Typography from '@mui/material/Typography';
import { useQuery } from '@tanstack/react-query';
import { useEffect } from 'react';
import { useTranslation } from 'react-i18next';
import { storedFirstSteps } from '../../shared/browser/stored';
import { Failed } from '../../shared/feedback/failed';
import { Loading } from '../../shared/feedback/loading';
import { explanationQuery, type LogLine } from './api';
import { CallTimeline } from './call-timeline';
import { ChargeReason } from './charge-reason';
import { LogFacts } from './log-facts';
import { LOG_TYPE, logType } from './log.labels';

interface LogDrawerProps {
  /** What the address asks for; null = closed. */
  reference: string | null;
  /** The line, when it is on the page that is shown. */
  line: LogLine | undefined;
  onClose: () => void;
}

/** One line in full: what happened, and why it cost this. */
export function LogDrawer({ reference, line, onClose }: LogDrawerProps) {
  return (
    <Drawer
      anchor="right"
      open={reference !== null}
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
      {reference !== null && <LogBody reference={reference} line={line} onClose={onClose} />}
    </Drawer>
  );
}

function LogBody({ reference, line, onClose }: LogDrawerProps & { reference: string }) {
  const { t } = useTranslation();
  useEffect(() => storedFirstSteps.write({ ...storedFirstSteps.read(), logSeen: true }), []);
  // A shared address names a call by its id, also when its line has moved to another page.
  const isCharged =
    line === undefined
      ? reference.includes('-')
      : line.type === LOG_TYPE.consumption && line.request_id !== null;
  const title =
    line === undefined
      ? [t('logs.drawer.title')]
      : [t(`logs.type.${logType(line.type).word}`), line.model_name];
  return (
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
          {title.filter((part) => part !== '').join(' · ')}
        </Typography>
        <IconButton aria-label={t('common.close')} onClick={onClose} size="small" edge="end">
          <CloseRounded />
        </IconButton>
      </Box>
      <Box sx={{ overflowY: 'auto', px: 3, py: 2.5, display: 'grid', gap: 3.5, alignContent: 'start' }}>
        {isCharged && <Explained reference={reference} line={line} />}
        {line?.type === LOG_TYPE.error && <CallTimeline line={line} />}
        {line !== undefined && <LogFacts line={line} />}
      </Box>
    </>
  );
}

function Explained({ reference, line }: { reference: string; line: LogLine | undefined }) {
  const { t } = useTranslation();
  const { data, error, isError, refetch } = useQuery(explanationQuery(reference));
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

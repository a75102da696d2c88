import Box from '@mui/material/Box';
import { useQuery } from '@tanstack/react-query';
import { useEffect } from 'react';
import { useTranslation } from 'react-i18next';
import { storedFirstSteps } from '../../shared/browser/stored';
import { Failed } from '../../shared/feedback/failed';
import { Loading } from '../../shared/feedback/loading';
import { ReadingDrawer } from '../../shared/dialog/reading-drawer';
import { explanationQuery } from '../../shared/receipt/explanation.api';
import type { LogLine } from './api';
import { CallTimeline } from '../../shared/receipt/call-timeline';
import { ChargeReason } from '../../shared/receipt/charge-reason';
import { RefusedPart } from './refused-part';
import { LogFacts } from './log-facts';
import { LOG_TYPE, logType } from './log.labels';

interface LogDrawerProps {
  /** Reference in the page's address; null = closed. */
  reference: string | null;
  /** The line, when it is on the page that is shown. */
  line: LogLine | undefined;
  onClose: () => void;
}

/** One line in full: what happened, and why it cost this. */
export function LogDrawer({ reference, line, onClose }: LogDrawerProps) {
  const { t } = useTranslation();
  const title =
    line === undefined
      ? [t('logs.drawer.title')]
      : [t(`logs.type.${logType(line.type).word}`), line.model_name];
  return (
    <ReadingDrawer
      open={reference !== null}
      onClose={onClose}
      title={title.filter((part) => part !== '').join(' · ')}
      width={640}
    >
      {reference !== null && <LogBody reference={reference} line={line} />}
    </ReadingDrawer>
  );
}

function LogBody({ reference, line }: { reference: string; line: LogLine | undefined }) {
  useEffect(() => storedFirstSteps.write({ ...storedFirstSteps.read(), logSeen: true }), []);
  // A shared address names a call by its id, also when its line has moved to another page.
  const isCharged =
    line === undefined
      ? reference.includes('-')
      : line.type === LOG_TYPE.consumption && line.request_id !== null;
  return (
    <Box sx={{ overflowY: 'auto', px: 3, py: 2.5, display: 'grid', gap: 3.5, alignContent: 'start' }}>
      {isCharged && <Explained reference={reference} line={line} />}
      {line?.type === LOG_TYPE.error && (
        <>
          <RefusedPart line={line} />
          <CallTimeline line={line} />
        </>
      )}
      {line !== undefined && <LogFacts line={line} />}
    </Box>
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

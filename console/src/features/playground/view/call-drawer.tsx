import Alert from '@mui/material/Alert';
import Box from '@mui/material/Box';
import Tab from '@mui/material/Tab';
import Tabs from '@mui/material/Tabs';
import ToggleButton from '@mui/material/ToggleButton';
import ToggleButtonGroup from '@mui/material/ToggleButtonGroup';
import Typography from '@mui/material/Typography';
import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useId, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { isAdministrator, useCurrentUser } from '../../../api/current-user';
import { ReadingDrawer } from '../../../shared/dialog/reading-drawer';
import { Failed } from '../../../shared/feedback/failed';
import { Loading } from '../../../shared/feedback/loading';
import { MONO } from '../../../shared/format/mono';
import { CallTimeline } from '../../../shared/receipt/call-timeline';
import { ChargeReason } from '../../../shared/receipt/charge-reason';
import { explanationQuery } from '../../../shared/receipt/explanation.api';
import { CopyButton, CopyableText } from '../../../shared/value/copyable';
import type { Exchange, Exchanges } from '../chat/exchanges';
import { receiptQuery } from '../chat/use-receipts';

interface CallDrawerProps {
  requestIds: readonly string[];
  exchanges: Exchanges;
  onClose: () => void;
}

const VIEWS = ['receipt', 'request', 'response'] as const;
type View = (typeof VIEWS)[number];

/** One answer's calls: receipt and course, the request as it was sent, the events as they came. */
export function CallDrawer({ requestIds, exchanges, onClose }: CallDrawerProps) {
  const { t } = useTranslation();
  const id = useId();
  const [index, setIndex] = useState(requestIds.length - 1);
  const [view, setView] = useState<View>('receipt');
  const requestId = requestIds[index] ?? '';
  const exchange = exchanges.find(requestId);
  return (
    <ReadingDrawer open onClose={onClose} title={t('playground.call.title')} width={640}>
      <Box sx={{ px: 3, pt: 1.5, display: 'grid', gap: 1 }}>
        <Box sx={{ display: 'flex', flexWrap: 'wrap', gap: 1, alignItems: 'center' }}>
          {requestIds.length > 1 && (
            <ToggleButtonGroup
              exclusive
              size="small"
              value={index}
              aria-label={t('playground.call.which')}
              onChange={(_event, next: number | null) => next !== null && setIndex(next)}
            >
              {requestIds.map((each, number) => (
                <ToggleButton
                  key={each}
                  value={number}
                  aria-label={t('playground.call.number', { number: number + 1 })}
                >
                  {number + 1}
                </ToggleButton>
              ))}
            </ToggleButtonGroup>
          )}
          <CopyableText text={requestId} label={`${t('playground.call.id')} ${requestId}`} />
          <Link to={`/log?open=${encodeURIComponent(requestId)}`}>{t('playground.call.inLog')}</Link>
        </Box>
        <Tabs
          value={view}
          onChange={(_event, next: View) => setView(next)}
          aria-label={t('playground.call.views')}
        >
          {VIEWS.map((each) => (
            <Tab
              key={each}
              value={each}
              label={t(`playground.call.${each}`)}
              id={`${id}-${each}`}
              aria-controls={`${id}-panel`}
            />
          ))}
        </Tabs>
      </Box>
      <Box
        role="tabpanel"
        id={`${id}-panel`}
        aria-labelledby={`${id}-${view}`}
        sx={{
          overflowY: 'auto',
          px: 3,
          py: 2,
          display: 'grid',
          gap: 2,
          alignContent: 'start',
          gridTemplateColumns: 'minmax(0, 1fr)',
        }}
      >
        {view === 'receipt' && <ReceiptView requestId={requestId} />}
        {view !== 'receipt' && exchange === undefined && (
          <Alert severity="info">{t('playground.call.notKept')}</Alert>
        )}
        {view === 'request' && exchange !== undefined && <RequestView exchange={exchange} />}
        {view === 'response' && exchange !== undefined && <ResponseView exchange={exchange} />}
      </Box>
    </ReadingDrawer>
  );
}

function ReceiptView({ requestId }: { requestId: string }) {
  const { t } = useTranslation();
  const isStaff = isAdministrator(useCurrentUser());
  // The explanation is there as soon as the log has the charge.
  const booked = useQuery(receiptQuery(requestId));
  const isCharged = booked.data !== undefined && booked.data.quota + booked.data.promptTokens > 0;
  const { data, error, isError, refetch } = useQuery({ ...explanationQuery(requestId), enabled: isCharged });
  if (booked.isPending) return <Loading />;
  if (!isCharged) return <Alert severity="info">{t('playground.call.notCharged')}</Alert>;
  if (isError)
    return <Failed title={t('logs.drawer.explainFailed')} error={error} onRetry={() => void refetch()} />;
  if (data === undefined) return <Loading />;
  return (
    <>
      <CallTimeline explanation={data} />
      {isStaff && data.attempts.length === 0 && (
        <Typography variant="body2" color="textSecondary">
          {t('playground.call.noAttempts')}
        </Typography>
      )}
      <ChargeReason explanation={data} />
    </>
  );
}

function RequestView({ exchange: { path, body } }: { exchange: Exchange }) {
  return (
    <Raw
      title={`POST ${path}`}
      text={JSON.stringify(body, shortened, 2)}
      copied={JSON.stringify(body, null, 2)}
    />
  );
}

/** Characters shown of one text: a file in base64 is megabytes long, which would hold up the page. */
const SHOWN_CHARACTERS = 4_000;
const shortened = (_name: string, value: unknown): unknown =>
  typeof value === 'string' && value.length > SHOWN_CHARACTERS
    ? `${value.slice(0, SHOWN_CHARACTERS)}… (${value.length.toLocaleString('en-US')})`
    : value;

/** Events drawn at most; all are copied. */
const SHOWN_EVENTS = 500;

function ResponseView({ exchange }: { exchange: Exchange }) {
  const { t } = useTranslation();
  const { status, headers, events, dropped } = exchange;
  const shown = events.slice(0, SHOWN_EVENTS);
  const rest = events.length - shown.length + dropped;
  const heads = headers.map(([name, value]) => `${name}: ${value}`).join('\n');
  return (
    <>
      <Raw title={t('playground.call.head', { status })} text={heads} />
      <Raw
        title={t('playground.call.events', { count: events.length + dropped })}
        text={shown.join('\n')}
        copied={events.join('\n')}
        foot={rest > 0 ? t('playground.call.moreEvents', { count: rest }) : undefined}
      />
    </>
  );
}

interface RawProps {
  title: string;
  text: string;
  /** Absent = the text that is shown. */
  copied?: string;
  foot?: ReactNode;
}

function Raw({ title, text, copied = text, foot }: RawProps) {
  const { t } = useTranslation();
  return (
    <section>
      <Box sx={{ display: 'flex', alignItems: 'center', justifyContent: 'space-between', mb: 0.5 }}>
        <Typography variant="h3">{title}</Typography>
        <CopyButton text={copied} label={t('common.copyNamed', { name: title })} />
      </Box>
      <Box
        component="pre"
        tabIndex={0}
        sx={{
          m: 0,
          p: 1.5,
          fontFamily: MONO,
          fontSize: 12,
          lineHeight: 1.6,
          bgcolor: 'soft.sunken',
          borderRadius: '8px',
          whiteSpace: 'pre-wrap',
          overflowWrap: 'anywhere',
        }}
      >
        {text}
      </Box>
      {foot}
    </section>
  );
}

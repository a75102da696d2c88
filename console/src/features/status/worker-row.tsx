import ExpandMoreRounded from '@mui/icons-material/ExpandMoreRounded';
import Box from '@mui/material/Box';
import ButtonBase from '@mui/material/ButtonBase';
import Collapse from '@mui/material/Collapse';
import Typography from '@mui/material/Typography';
import { useId, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { StatusTag } from '../../shared/feedback/status-tag';
import { formatMilliseconds } from '../../shared/format/duration';
import { Facts } from '../../shared/value/facts';
import { Moment } from '../../shared/value/moment';
import type { Worker } from './api';
import { formatBytes, modeName, STATE_TONES } from './status.labels';

const NOTHING = '–';
const milliseconds = (value: number | null) => (value === null ? NOTHING : formatMilliseconds(value));
const count = (value: number | null) => (value === null ? NOTHING : value.toLocaleString('en-US'));

/** A worker in a line; opened, everything it reports. */
export function WorkerRow({ worker, revision }: { worker: Worker; revision: number }) {
  const { t } = useTranslation();
  const id = useId();
  const [open, setOpen] = useState(false);
  const isBehind = worker.state === 'up' && worker.revision < revision;
  return (
    <Box component="li" sx={{ border: 1, borderColor: 'divider', borderRadius: '8px', overflow: 'hidden' }}>
      <ButtonBase
        onClick={() => setOpen(!open)}
        aria-expanded={open}
        aria-controls={id}
        sx={{
          width: '100%',
          px: 1.5,
          py: 1,
          display: 'flex',
          gap: 1,
          justifyContent: 'flex-start',
          textAlign: 'left',
        }}
      >
        <Box sx={{ flex: 1, minWidth: 0, display: 'flex', flexWrap: 'wrap', gap: 1, alignItems: 'center' }}>
          <Typography variant="subtitle2" component="span">
            {t('status.worker.name', { number: worker.worker })}
          </Typography>
          <StatusTag tone={STATE_TONES[worker.state]}>{t(`status.state.${worker.state}`)}</StatusTag>
          {worker.state === 'up' && !worker.ready && (
            <StatusTag tone="warning">{t('status.worker.notReady')}</StatusTag>
          )}
          {isBehind && <StatusTag tone="warning">{t('status.worker.behind')}</StatusTag>}
          {worker.degraded.length > 0 && (
            <StatusTag tone="warning">
              {t('status.worker.degraded', { count: worker.degraded.length })}
            </StatusTag>
          )}
          <Typography variant="body2" color="textSecondary" component="span" sx={{ ml: { sm: 'auto' } }}>
            {t('status.worker.line', {
              count: worker.calls ?? 0,
              calls: count(worker.calls),
              delay: milliseconds(worker.event_loop_delay_ms),
              memory: formatBytes(worker.resident_bytes),
            })}
          </Typography>
        </Box>
        <ExpandMoreRounded
          aria-hidden
          sx={{ fontSize: 18, color: 'text.secondary', transform: open ? 'rotate(180deg)' : 'none' }}
        />
      </ButtonBase>
      <Collapse in={open} unmountOnExit id={id}>
        <Box sx={{ px: 1.5, py: 1.5, borderTop: 1, borderColor: 'divider' }}>
          <WorkerFacts worker={worker} />
        </Box>
      </Collapse>
    </Box>
  );
}

function WorkerFacts({ worker }: { worker: Worker }) {
  const { t } = useTranslation();
  const { database, store } = worker;
  const offset = database.clock_offset_ms;
  return (
    <Facts
      facts={[
        [t('status.worker.process'), String(worker.pid)],
        worker.address !== null && [t('status.worker.address'), worker.address],
        [t('status.worker.started'), <Moment key="started" seconds={worker.started_at} />],
        [t('status.worker.heard'), <Moment key="heard" seconds={worker.heard_at} />],
        [t('status.worker.version'), worker.version],
        [t('status.worker.revision'), count(worker.revision)],
        [
          t('status.worker.calls'),
          t('status.worker.callsValue', {
            count: worker.calls ?? 0,
            calls: count(worker.calls),
            streams: count(worker.streams),
          }),
        ],
        [t('status.worker.loop'), milliseconds(worker.event_loop_delay_ms)],
        [
          t('status.worker.memory'),
          t('status.worker.memoryValue', {
            resident: formatBytes(worker.resident_bytes),
            heap: formatBytes(worker.heap_bytes),
          }),
        ],
        [
          t('status.worker.database'),
          database.up
            ? t('status.worker.storeUp', { latency: milliseconds(database.latency_ms) })
            : t('status.worker.storeAway'),
        ],
        database.connections_used !== null && [
          t('status.worker.connections'),
          t('status.worker.connectionsValue', {
            used: count(database.connections_used),
            waiting: count(database.connections_waiting ?? 0),
          }),
        ],
        offset !== null && [t('status.worker.clock'), `${offset > 0 ? '+' : ''}${offset} ms`],
        store.kind === 'redis' && [
          t('status.worker.redis'),
          store.up
            ? t('status.worker.storeUp', { latency: milliseconds(store.latency_ms) })
            : t('status.worker.storeAway'),
        ],
        [
          t('status.worker.spool'),
          t('status.worker.spoolValue', {
            records: count(worker.spool_records),
            oldest:
              worker.spool_oldest_seconds === null
                ? NOTHING
                : formatMilliseconds(worker.spool_oldest_seconds * 1_000),
          }),
        ],
        [t('status.worker.lag'), milliseconds(worker.settlement_lag_ms)],
        [t('status.worker.holds'), t('status.money.calls', { count: worker.holds ?? 0 })],
        worker.degraded.length > 0 && [
          t('status.worker.modes'),
          worker.degraded.map((mode) => modeName(mode, t)).join(', '),
        ],
      ]}
    />
  );
}

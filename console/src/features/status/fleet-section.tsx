import DnsOutlined from '@mui/icons-material/DnsOutlined';
import Box from '@mui/material/Box';
import Paper from '@mui/material/Paper';
import Typography from '@mui/material/Typography';
import { useTranslation } from 'react-i18next';
import { Empty } from '../../shared/feedback/empty';
import { StatusTag } from '../../shared/feedback/status-tag';
import { MONO } from '../../shared/format/mono';
import { Moment } from '../../shared/value/moment';
import type { Instance } from './api';
import { STATE_TONES } from './status.labels';
import { WorkerRow } from './worker-row';

interface FleetSectionProps {
  instances: readonly Instance[];
  /** Newest revision of the settings any worker has. */
  revision: number;
}

/** A card per instance, its workers in it. */
export function FleetSection({ instances, revision }: FleetSectionProps) {
  const { t } = useTranslation();
  if (instances.length === 0)
    return (
      <Empty icon={<DnsOutlined />} title={t('status.fleet.none')} explanation={t('status.fleet.noneText')} />
    );
  return (
    <Box component="section" aria-label={t('status.fleet.title')}>
      <Box
        sx={{
          display: 'grid',
          gap: 2,
          gridTemplateColumns: { xs: 'minmax(0, 1fr)', md: 'repeat(auto-fit, minmax(440px, 1fr))' },
        }}
      >
        {instances.map((instance) => (
          <InstanceCard key={instance.id} instance={instance} revision={revision} />
        ))}
      </Box>
    </Box>
  );
}

function InstanceCard({ instance, revision }: { instance: Instance; revision: number }) {
  const { t } = useTranslation();
  const { id, host, state, heard_at: heardAt, workers } = instance;
  const versions = [...new Set(workers.map(({ version }) => version))].join(', ');
  return (
    <Paper
      variant="outlined"
      component="article"
      aria-label={t('status.fleet.instance', { host, id })}
      sx={{ p: 2, minWidth: 0, display: 'grid', gap: 1.25, alignContent: 'start' }}
    >
      <Box sx={{ display: 'flex', flexWrap: 'wrap', gap: 1, alignItems: 'center' }}>
        <Typography variant="h3" sx={{ overflowWrap: 'anywhere' }}>
          {host}
        </Typography>
        <Typography component="span" color="textSecondary" sx={{ fontFamily: MONO, fontSize: 12.5 }}>
          {id}
        </Typography>
        <StatusTag tone={STATE_TONES[state]}>{t(`status.state.${state}`)}</StatusTag>
        <Typography variant="body2" color="textSecondary" sx={{ ml: { sm: 'auto' } }}>
          {versions}
        </Typography>
      </Box>
      {state === 'gone' && (
        <Typography variant="body2" color="textSecondary">
          {t('status.fleet.heard')} <Moment seconds={heardAt} />
        </Typography>
      )}
      <Box component="ul" sx={{ m: 0, p: 0, listStyle: 'none', display: 'grid', gap: 1 }}>
        {workers.map((worker) => (
          <WorkerRow key={worker.boot_id} worker={worker} revision={revision} />
        ))}
      </Box>
    </Paper>
  );
}

import HistoryRounded from '@mui/icons-material/HistoryRounded';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Collapse from '@mui/material/Collapse';
import Typography from '@mui/material/Typography';
import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { useId, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { lazyDialog } from '../../shared/feedback/lazy-dialog';
import { Empty } from '../../shared/feedback/empty';
import { Failed } from '../../shared/feedback/failed';
import { Loading } from '../../shared/feedback/loading';
import { StatusTag } from '../../shared/feedback/status-tag';
import { Moment } from '../../shared/value/moment';
import { versionQuery, versionsQuery, type PriceVersion } from './price.api';
import { PriceChangeList } from './price-change-list';
import { priceDocument } from './price-documents';
import type { PriceProposal } from './price-review';

const PriceReview = lazyDialog(
  async () => (await import('./price-review')).PriceReview,
  ({ proposal }) => proposal !== undefined,
);

/** Earlier states of the prices: who changed what and when, and the way back. */
export function PriceVersions() {
  const { t } = useTranslation();
  const [proposal, setProposal] = useState<PriceProposal>();
  const { data, error, isError, refetch, hasNextPage, fetchNextPage, isFetchingNextPage } =
    useInfiniteQuery(versionsQuery);
  if (isError)
    return <Failed title={t('prices.versions.failed')} error={error} onRetry={() => void refetch()} />;
  if (data === undefined) return <Loading />;
  const versions = data.pages.flat();
  if (versions.length === 0)
    return (
      <Empty
        icon={<HistoryRounded />}
        title={t('prices.versions.none')}
        explanation={t('prices.versions.noneHelp')}
      />
    );
  return (
    <>
      <Typography variant="body2" color="textSecondary" sx={{ px: 2.5, py: 1.5 }}>
        {t('prices.versions.help')}
      </Typography>
      <Box component="ol" aria-label={t('prices.versions.title')} sx={{ listStyle: 'none', m: 0, p: 0 }}>
        {versions.map((version, index) => (
          <VersionLine key={version.id} version={version} isNewest={index === 0} onPropose={setProposal} />
        ))}
      </Box>
      {hasNextPage && (
        <Box sx={{ px: 2.5, py: 1.5, borderTop: 1, borderColor: 'divider' }}>
          <Button size="small" onClick={() => void fetchNextPage()} loading={isFetchingNextPage}>
            {t('prices.versions.older')}
          </Button>
        </Box>
      )}
      <PriceReview proposal={proposal} onClose={() => setProposal(undefined)} onStored={() => undefined} />
    </>
  );
}

const SOURCES = ['edit', 'reset', 'rollback', 'sync'] as const;

interface VersionLineProps {
  version: PriceVersion;
  isNewest: boolean;
  onPropose: (proposal: PriceProposal) => void;
}

function VersionLine({ version, isNewest, onPropose }: VersionLineProps) {
  const { t } = useTranslation();
  const id = useId();
  const [open, setOpen] = useState(false);
  const source = SOURCES.find((known) => known === version.source);
  const documents = version.keys.map((key) => {
    const known = priceDocument(key);
    return known === undefined ? key : t(`prices.${known.name}.label`);
  });
  // The newest version is what holds now: from it one goes back to what was before it.
  const to = isNewest ? 'before' : 'after';
  const rollBack = () =>
    onPropose({
      title: t(`prices.versions.to_${to}`, { id: version.id }),
      differences: undefined,
      subject: { version_id: version.id, to },
      store: { kind: 'rollback', id: version.id, to },
    });
  return (
    <Box component="li" sx={{ borderTop: 1, borderColor: 'divider', px: 2.5, py: 1.5 }}>
      <Box sx={{ display: 'flex', gap: 1.5, alignItems: 'center', flexWrap: 'wrap' }}>
        <Box sx={{ flex: '1 1 260px', minWidth: 0 }}>
          <Box sx={{ display: 'flex', gap: 1, alignItems: 'center', flexWrap: 'wrap' }}>
            <Typography variant="subtitle2" component="h3">
              {t('prices.versions.version', { id: version.id })}
            </Typography>
            <StatusTag tone="neutral">
              {source === undefined ? version.source : t(`prices.versions.source.${source}`)}
            </StatusTag>
            {isNewest && <StatusTag tone="ok">{t('prices.versions.current')}</StatusTag>}
          </Box>
          <Typography variant="body2" color="textSecondary" component="div" sx={{ overflowWrap: 'anywhere' }}>
            <Moment seconds={version.created_at} /> ·{' '}
            {version.actor === '' ? t('prices.versions.program') : version.actor} ·{' '}
            {documents.join(t('prices.draft.separator'))}
          </Typography>
          {version.note !== '' && <Typography variant="body2">{version.note}</Typography>}
        </Box>
        <Button
          size="small"
          color="inherit"
          aria-expanded={open}
          aria-controls={id}
          onClick={() => setOpen(!open)}
        >
          {t(open ? 'prices.versions.hide' : 'prices.versions.show')}
        </Button>
        <Button size="small" variant="outlined" onClick={rollBack}>
          {t(`prices.versions.roll_${to}`)}
        </Button>
      </Box>
      <Collapse in={open} id={id} unmountOnExit>
        <Box sx={{ pt: 1.5 }}>
          <VersionChanges id={version.id} />
        </Box>
      </Collapse>
    </Box>
  );
}

function VersionChanges({ id }: { id: number }) {
  const { t } = useTranslation();
  const { data, error, isError, refetch } = useQuery(versionQuery(id));
  if (isError)
    return <Failed title={t('prices.versions.failed')} error={error} onRetry={() => void refetch()} />;
  if (data === undefined) return <Loading />;
  return (
    <PriceChangeList
      changes={data.changes.map((change) => ({
        key: change.key,
        entries: change.entries.map((entry) => ({
          name: entry.name,
          before: entry.old_value,
          after: entry.new_value,
        })),
      }))}
    />
  );
}

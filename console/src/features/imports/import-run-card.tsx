import Alert from '@mui/material/Alert';
import Button from '@mui/material/Button';
import LinearProgress from '@mui/material/LinearProgress';
import Typography from '@mui/material/Typography';
import type { ParseKeys } from 'i18next';
import { useTranslation } from 'react-i18next';
import { Section } from '../../shared/page/section';
import { type ImportRun, type ImportState, useStopImport } from './api';

/** The last run: progress while it runs, its end afterwards. */
export function ImportRunCard({ state: { run, busy_place: place } }: { state: ImportState }) {
  const { t } = useTranslation();
  const stop = useStopImport();
  if (place !== '') return <Alert severity="info">{t('imports.run.busy', { place })}</Alert>;
  if (run === null) return null;
  const title = t(`imports.run.${run.kind}`, { source: run.source });
  const isRunning = run.status === 'running';
  return (
    <Section
      title={`${title}: ${t(`imports.run.status.${run.status}`)}`}
      action={
        isRunning &&
        run.kind !== 'undo' && (
          <Button
            color="inherit"
            variant="outlined"
            disabled={run.stop_asked}
            loading={stop.isPending}
            onClick={() => stop.mutate()}
          >
            {t('imports.act.stop')}
          </Button>
        )
      }
    >
      {isRunning ? <Progress run={run} /> : <End run={run} />}
    </Section>
  );
}

function Progress({ run }: { run: ImportRun }) {
  const { t } = useTranslation();
  const { done, found, part, part_ms: ms } = run;
  const rate = (1_000 * done) / Math.max(1_000, ms);
  const text = run.stop_asked
    ? t('imports.run.stopping')
    : part === ''
      ? t('imports.run.reading')
      : t('imports.run.progress', {
          part: t(`imports.part.${part}` as ParseKeys),
          done,
          found,
          rate: Math.round(rate),
          left: rate === 0 ? '…' : Math.ceil(Math.max(0, found - done) / rate),
        });
  const isCounted = part !== '' && found > 0;
  return (
    <>
      <Typography variant="body2" role="status" sx={{ mb: 1 }}>
        {text}
      </Typography>
      <LinearProgress
        aria-label={text}
        {...(isCounted ? { variant: 'determinate', value: Math.min(100, (100 * done) / found) } : {})}
      />
    </>
  );
}

function End({ run }: { run: ImportRun }) {
  const { t } = useTranslation();
  if (run.status === 'lost') return <Alert severity="warning">{t('imports.run.lost')}</Alert>;
  if (run.status !== 'done') return <Alert severity="error">{run.fault}</Alert>;
  if (run.kind === 'trial') return <Typography variant="body2">{t('imports.act.trialHelp')}</Typography>;
  return (
    <Alert severity="success">{t(run.kind === 'undo' ? 'imports.run.undone' : 'imports.run.after')}</Alert>
  );
}

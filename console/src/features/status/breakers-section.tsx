import Box from '@mui/material/Box';
import Link from '@mui/material/Link';
import Typography from '@mui/material/Typography';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { Link as RouterLink } from 'react-router';
import { StatusTag } from '../../shared/feedback/status-tag';
import { Section } from '../../shared/page/section';
import { Moment } from '../../shared/value/moment';
import type { OperationsStatus } from './api';
import { modeName } from './status.labels';

type Mode = OperationsStatus['modes'][number];
type Breaker = OperationsStatus['breakers'][number];

interface BreakersSectionProps {
  modes: readonly Mode[];
  breakers: readonly Breaker[];
}

/** Degraded modes, and channels with an open circuit. */
export function BreakersSection({ modes, breakers }: BreakersSectionProps) {
  const { t } = useTranslation();
  const isEmpty = modes.length === 0 && breakers.length === 0;
  return (
    <Section title={t('status.limits.title')} explanation={t('status.limits.text')}>
      {isEmpty ? (
        <Typography variant="body2" color="textSecondary">
          {t('status.limits.none')}
        </Typography>
      ) : (
        <Box component="ul" sx={{ m: 0, p: 0, listStyle: 'none', display: 'grid', gap: 1.5 }}>
          {modes.map((mode) => (
            <Item key={mode.mode} tag={modeName(mode.mode, t)} workers={mode.workers} since={mode.since}>
              {mode.meaning}
              {mode.cause !== '' && ` · ${mode.cause}`}
            </Item>
          ))}
          {breakers.map((breaker) => (
            <Item
              key={`${breaker.kind} ${breaker.name} ${breaker.channel_id} ${breaker.model}`}
              tag={t(`status.limits.${breaker.kind}`)}
              workers={breaker.workers}
              since={breaker.since}
            >
              {breaker.kind === 'channel' ? (
                <Link component={RouterLink} to={`/channel/${breaker.channel_id}`}>
                  {`${breaker.name} #${breaker.channel_id}`.trim()}
                </Link>
              ) : (
                breaker.name
              )}
              {breaker.model !== '' && ` · ${breaker.model}`}
              {breaker.failure !== '' && ` · ${breaker.failure}`}
              {breaker.retry_at !== null && (
                <>
                  {` · ${t('status.limits.retry')} `}
                  <Moment seconds={breaker.retry_at} />
                </>
              )}
            </Item>
          ))}
        </Box>
      )}
    </Section>
  );
}

interface ItemProps {
  tag: string;
  workers: number;
  since: number;
  children: ReactNode;
}

function Item({ tag, workers, since, children }: ItemProps) {
  const { t } = useTranslation();
  return (
    <Box component="li" sx={{ display: 'grid', gap: 0.25 }}>
      <Box sx={{ display: 'flex', flexWrap: 'wrap', gap: 1, alignItems: 'center' }}>
        <StatusTag tone="warning">{tag}</StatusTag>
        <Typography variant="body2" color="textSecondary">
          {t('status.since')} <Moment seconds={since} never="–" /> · {t('status.workers', { count: workers })}
        </Typography>
      </Box>
      <Typography variant="body2" sx={{ overflowWrap: 'anywhere' }}>
        {children}
      </Typography>
    </Box>
  );
}

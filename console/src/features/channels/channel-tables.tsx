import Box from '@mui/material/Box';
import Typography from '@mui/material/Typography';
import { Fragment } from 'react';
import { useTranslation } from 'react-i18next';
import { formatMilliseconds } from '../../shared/format/duration';
import { MONO } from '../../shared/format/mono';
import { Section } from '../../shared/page/section';
import { SmallTable } from '../../shared/table/small-table';
import type { ChannelStatistics } from './api';
import { formatShare } from './channel-trouble';
import { useReasonText } from './use-failure-text';

/** Milliseconds in words; a dash where none were measured. */
export const timeText = (milliseconds: number | null): string =>
  milliseconds === null ? '–' : formatMilliseconds(milliseconds);

/** Why attempts have no whole answer, most frequent first. */
export function ChannelReasons({ statistics: { reasons, totals } }: { statistics: ChannelStatistics }) {
  const { t } = useTranslation();
  const reasonText = useReasonText();
  return (
    <Section title={t('channels.page.reasons')} flush={reasons.length > 0}>
      {reasons.length === 0 ? (
        <Typography variant="body2" color="textSecondary">
          {t('channels.page.noReasons')}
        </Typography>
      ) : (
        <SmallTable
          isFlush
          label={t('channels.page.reasons')}
          heads={[
            t('channels.page.reason'),
            t('channels.page.status'),
            t('channels.page.attempts'),
            t('channels.page.share'),
          ]}
          rows={reasons.map(({ reason, status, attempts, is_channel_failure: counts }) => ({
            id: `${reason} ${status}`,
            cells: [
              <Fragment key="reason">
                {reasonText(reason)}
                {!counts && (
                  <Box component="span" sx={{ color: 'text.secondary' }}>
                    {` · ${t('channels.page.notCounted')}`}
                  </Box>
                )}
              </Fragment>,
              status === 0 ? '–' : String(status),
              attempts.toLocaleString('en-US'),
              formatShare(attempts / totals.attempts),
            ],
          }))}
        />
      )}
    </Section>
  );
}

/** Models of the channel, most used first. */
export function ChannelModels({ statistics: { models } }: { statistics: ChannelStatistics }) {
  const { t } = useTranslation();
  return (
    <Section title={t('channels.page.models')} flush>
      <SmallTable
        isFlush
        label={t('channels.page.models')}
        heads={[
          t('channels.page.model'),
          t('channels.page.attempts'),
          t('channels.page.failed'),
          `${t('channels.page.firstToken')} p50`,
          'p95',
          `${t('channels.page.duration')} p50`,
          'p95',
          t('channels.page.speed'),
        ]}
        rows={models.map((model) => ({
          id: model.model,
          cells: [
            <Box
              key="model"
              component="span"
              sx={{ fontFamily: MONO, fontSize: 12.5, overflowWrap: 'anywhere' }}
            >
              {model.model}
            </Box>,
            model.attempts.toLocaleString('en-US'),
            formatShare(model.failures / model.attempts),
            timeText(model.first_token_p50_ms),
            timeText(model.first_token_p95_ms),
            timeText(model.duration_p50_ms),
            timeText(model.duration_p95_ms),
            model.tokens_per_second === null ? '–' : model.tokens_per_second.toFixed(1),
          ],
        }))}
      />
    </Section>
  );
}

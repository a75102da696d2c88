import CheckCircleOutlineRounded from '@mui/icons-material/CheckCircleOutlineRounded';
import ErrorOutlineRounded from '@mui/icons-material/ErrorOutlineRounded';
import Box from '@mui/material/Box';
import Typography from '@mui/material/Typography';
import { useTranslation } from 'react-i18next';
import { StatusTag } from '../../shared/feedback/status-tag';
import { formatMilliseconds } from '../../shared/format/duration';
import { MONO } from '../../shared/format/mono';
import { Section } from '../../shared/page/section';
import { Facts } from '../../shared/value/facts';
import { Moment } from '../../shared/value/moment';
import { Quota } from '../../shared/value/quota';
import type { OperationsStatus } from './api';

/** Money on its way: set aside, on the spool, booked; and the result of the daily check of the books. */
export function MoneySection({ status: { totals, books } }: { status: OperationsStatus }) {
  const { t } = useTranslation();
  return (
    <Section title={t('status.money.title')} explanation={t('status.money.text')}>
      <Facts
        facts={[
          [
            t('status.money.holds'),
            <span key="holds">
              {t('status.money.calls', { count: totals.holds })}
              {totals.reserved_quota !== null && (
                <>
                  {' · '}
                  <Quota value={totals.reserved_quota} />
                </>
              )}
              {(totals.reserved_quota ?? 0) > 0 && (
                <Typography component="div" variant="caption" color="textSecondary">
                  {t('status.money.inAdvance')}
                </Typography>
              )}
            </span>,
          ],
          [t('status.money.spool'), t('status.money.records', { count: totals.spool_records })],
          [
            t('status.money.oldest'),
            totals.spool_records === 0 ? '–' : formatMilliseconds(totals.spool_oldest_seconds * 1_000),
          ],
          [t('status.money.lag'), formatMilliseconds(totals.settlement_lag_ms)],
          [
            t('status.money.books'),
            books === null ? (
              t('status.money.notChecked')
            ) : (
              <Box key="books" sx={{ display: 'flex', flexWrap: 'wrap', gap: 1, alignItems: 'center' }}>
                <StatusTag
                  tone={books.differences === 0 ? 'ok' : 'fault'}
                  icon={books.differences === 0 ? <CheckCircleOutlineRounded /> : <ErrorOutlineRounded />}
                >
                  {books.differences === 0
                    ? t('status.money.right')
                    : t('status.money.differ', { count: books.differences })}
                </StatusTag>
                <Moment seconds={books.at} />
              </Box>
            ),
          ],
        ]}
      />
      {books !== null && books.details.length > 0 && (
        <Box
          component="ul"
          aria-label={t('status.money.details')}
          sx={{ m: 0, mt: 1.5, pl: 2, fontFamily: MONO, fontSize: 12, overflowWrap: 'anywhere' }}
        >
          {books.details.map((line) => (
            <li key={line}>{line}</li>
          ))}
        </Box>
      )}
    </Section>
  );
}

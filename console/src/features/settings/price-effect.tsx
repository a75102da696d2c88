import Alert from '@mui/material/Alert';
import AlertTitle from '@mui/material/AlertTitle';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import LinearProgress from '@mui/material/LinearProgress';
import Typography from '@mui/material/Typography';
import { useQuery } from '@tanstack/react-query';
import { useState, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { useErrorText } from '../../shared/feedback/use-error-text';
import { FilterSelect } from '../../shared/table/filter-select';
import { Quota } from '../../shared/value/quota';
import { previewQuery, type PreviewSubject, type PricePreview } from './price.api';
import { PriceSums } from './price-sums';

const SPANS = ['1', '7', '30', '90'] as const;

/** Cost of the calls of the last days, by today's prices and by the new ones, and the accounts that pay it. */
export function PriceEffect({ subject }: { subject: PreviewSubject }) {
  const { t } = useTranslation();
  const errorText = useErrorText();
  const [days, setDays] = useState<string>('7');
  const { data, error, isError, isFetching, refetch } = useQuery(previewQuery(subject, Number(days)));
  return (
    <Box component="section" aria-labelledby="price-effect" aria-busy={isFetching} sx={{ minWidth: 0 }}>
      <Box sx={{ display: 'flex', alignItems: 'center', gap: 1.5, mb: 1.5, flexWrap: 'wrap' }}>
        <Typography id="price-effect" variant="h3" sx={{ flex: 1 }}>
          {t('prices.effect.title')}
        </Typography>
        <FilterSelect
          value={days}
          label={t('prices.effect.span')}
          onChange={setDays}
          values={SPANS}
          text={(span) => t('prices.effect.days', { count: Number(span) })}
        />
      </Box>
      {isFetching && <LinearProgress aria-label={t('prices.effect.running')} sx={{ mb: 1.5 }} />}
      {isError && !isFetching && (
        <Alert
          severity="warning"
          action={
            <Button color="inherit" size="small" onClick={() => void refetch()}>
              {t('common.retry')}
            </Button>
          }
        >
          {t('prices.effect.failed')} {errorText(error)}
        </Alert>
      )}
      {data !== undefined && <Effect preview={data} />}
    </Box>
  );
}

function Effect({ preview }: { preview: PricePreview }) {
  const { t } = useTranslation();
  if (preview.calls === 0) return <Typography color="textSecondary">{t('prices.effect.noCalls')}</Typography>;
  return (
    <Box sx={{ display: 'grid', gap: 2, minWidth: 0 }}>
      <Box sx={{ display: 'grid', gap: 1.5, gridTemplateColumns: { xs: '1fr 1fr', sm: 'repeat(5, 1fr)' } }}>
        <Sum label={t('prices.effect.charged')}>
          <Quota value={preview.charged} />
        </Sum>
        <Sum label={t('prices.effect.before')}>
          <Quota value={preview.before} />
        </Sum>
        <Sum label={t('prices.effect.after')}>
          <Quota value={preview.after} />
        </Sum>
        <Sum label={t('prices.effect.difference')}>
          <Quota value={preview.after - preview.before} signed /> <span>{percentage(preview)}</span>
        </Sum>
        <Sum label={t('prices.effect.repriced')}>
          {t('prices.effect.ofCalls', {
            repriced: preview.repriced_calls.toLocaleString('en-US'),
            calls: preview.calls.toLocaleString('en-US'),
          })}
        </Sum>
      </Box>
      <Remarks preview={preview} />
      {(preview.repriced_calls > 0 || preview.refused.calls > 0) && (
        <>
          <PriceSums
            title={t('prices.effect.models')}
            heads={[t('prices.column.model'), t('prices.effect.group')]}
            lines={preview.models
              .filter((line) => line.before !== line.after)
              .map((line) => ({ ...line, names: [line.model, line.group] }))}
          />
          <PriceSums
            title={t('prices.effect.users')}
            heads={[t('prices.effect.user')]}
            lines={preview.users
              .filter((line) => line.before !== line.after)
              .map((line) => ({
                ...line,
                names: [line.username === '' ? `#${line.user_id}` : line.username],
              }))}
          />
        </>
      )}
    </Box>
  );
}

/** "+25.0%" beside the difference; nothing where today's prices are nothing to compare with. */
function percentage({ before, after }: PricePreview): string {
  if (before === 0) return '';
  const share = ((after - before) / before) * 100;
  return `(${share > 0 ? '+' : share < 0 ? '−' : ''}${Math.abs(share).toFixed(1)}%)`;
}

function Sum({ label, children }: { label: string; children: ReactNode }) {
  return (
    <Box sx={{ minWidth: 0 }}>
      <Typography variant="caption" color="textSecondary" component="p">
        {label}
      </Typography>
      <Typography component="p" sx={{ fontWeight: 620 }}>
        {children}
      </Typography>
    </Box>
  );
}

const NAMED_MODELS = 20;

/** Models that lose their price: no saving, their calls would fail. */
function Refused({ refused: { calls, models } }: { refused: PricePreview['refused'] }) {
  const { t } = useTranslation();
  if (calls === 0) return null;
  const unnamed = models.length - NAMED_MODELS;
  return (
    <Alert severity="warning">
      <AlertTitle>{t('prices.effect.refused', { count: calls })}</AlertTitle>
      <Box component="ul" sx={{ m: 0, pl: 2.5, overflowWrap: 'anywhere' }}>
        {models.slice(0, NAMED_MODELS).map((line) => (
          <li key={line.model}>
            {t('prices.effect.refusedModel', { model: line.model, count: line.calls })}
          </li>
        ))}
        {unnamed > 0 && <li>{t('prices.effect.refusedMore', { count: unnamed })}</li>}
      </Box>
    </Alert>
  );
}

/** Everything beside the sums. */
function Remarks({ preview }: { preview: PricePreview }) {
  const { t } = useTranslation();
  const { no_price: noPrice, unknown_size: unknownSize, unreadable } = preview.not_repriced;
  const remarks = [
    ...(preview.repriced_calls === 0 && preview.refused.calls === 0 ? [t('prices.effect.none')] : []),
    ...(noPrice > 0 ? [t('prices.effect.noPrice', { count: noPrice })] : []),
    ...(unknownSize > 0 ? [t('prices.effect.unknownSize', { count: unknownSize })] : []),
    ...(unreadable > 0 ? [t('prices.effect.unreadable', { count: unreadable })] : []),
    ...(preview.is_complete ? [] : [t('prices.effect.incomplete')]),
  ];
  return (
    <>
      <Refused refused={preview.refused} />
      {preview.written_off > 0 && (
        <Typography variant="body2" color="textSecondary">
          {t('prices.effect.writtenOff')} <Quota value={preview.written_off} />
        </Typography>
      )}
      {remarks.map((remark) => (
        <Typography key={remark} variant="body2" color="textSecondary">
          {remark}
        </Typography>
      ))}
    </>
  );
}

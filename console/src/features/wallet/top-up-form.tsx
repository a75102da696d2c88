import Alert from '@mui/material/Alert';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import InputAdornment from '@mui/material/InputAdornment';
import OutlinedInput from '@mui/material/OutlinedInput';
import Skeleton from '@mui/material/Skeleton';
import Typography from '@mui/material/Typography';
import { useQuery } from '@tanstack/react-query';
import { useId, useState, type FormEvent, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { FailureAlert } from '../../shared/feedback/failure-alert';
import { isApiError } from '../../api/api-error';
import { leave } from '../../shared/browser/leave';
import { useErrorText } from '../../shared/feedback/use-error-text';
import { describedBy, FieldFrame } from '../../shared/form/field-frame';
import { exactQuota } from '../../shared/format/quota';
import { moneyText } from '../../shared/money/order';
import { useMethodName } from '../../shared/money/use-method-name';
import { useQuotaSettings } from '../../shared/session/status';
import { Quota } from '../../shared/value/quota';
import { percentOff, quotaOf, rulesOf } from './amounts';
import { sumQuery, usePay, type TopUpInfo } from './api';
import { MethodChoice } from './method-choice';
import { PresetAmounts } from './preset-amounts';

/** Amount, way to pay and price; then on to the payment service. */
export function TopUpForm({ info }: { info: TopUpInfo }) {
  const { t } = useTranslation();
  const id = useId();
  const errorText = useErrorText();
  const methodName = useMethodName();
  const { quotaPerUnit } = useQuotaSettings();
  const pay = usePay();
  const [chosen, setChosen] = useState<string | null>(null);
  const method = info.pay_methods.find(({ type }) => type === chosen) ?? info.pay_methods[0];
  const rules = rulesOf(info, method, quotaPerUnit);
  const [text, setText] = useState(() => String(rules.presets[0] ?? rules.min));
  const amount = text.trim() === '' ? Number.NaN : Number(text);
  const isDollars = info.amount_counts === 'unit';
  /** With its unit: the same figure is a dollar or next to nothing. */
  const inWords = (limit: number) =>
    isDollars ? `$${limit.toLocaleString('en-US')}` : t('common.quotaExact', { quota: exactQuota(limit) });
  const fault = faultOf(amount, rules.min, rules.max);
  const wanted = { amount, method: method?.type ?? '' };
  const sum = useQuery({ ...sumQuery(wanted), enabled: fault === undefined && method !== undefined });
  /** Refusals of a sum are refusals of its amount. */
  const isRefused = isApiError(sum.error) && sum.error.envelope !== undefined;
  const wrong =
    fault !== undefined
      ? t(`wallet.topUp.${fault.word}`, { limit: inWords(fault.limit) })
      : isRefused
        ? errorText(sum.error)
        : undefined;
  const failure = pay.error ?? (isRefused ? null : sum.error);
  const tooMany = info.pending_orders >= info.max_pending_orders;

  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (fault !== undefined || method === undefined || sum.data === undefined) return;
    pay.mutate(wanted, {
      onSuccess: (start) =>
        start.method === 'redirect' ? leave.for(start.url) : leave.with(start.url, start.fields),
    });
  };

  return (
    <Box component="form" noValidate onSubmit={submit} sx={{ display: 'grid', gap: 2 }}>
      <FieldFrame
        id={id}
        label={t('wallet.topUp.amount')}
        help={t('wallet.topUp.minimum', { min: inWords(rules.min) })}
        error={wrong}
      >
        <OutlinedInput
          id={id}
          value={text}
          type="number"
          onChange={(event) => setText(event.target.value)}
          onBlur={() => setText((typed) => (Number(typed) >= 1 ? typed : String(rules.min)))}
          error={wrong !== undefined}
          inputProps={{
            min: rules.min,
            max: rules.max,
            step: 1,
            inputMode: 'numeric',
            'aria-invalid': wrong !== undefined,
            'aria-describedby': describedBy(id, { help: true, error: wrong !== undefined }),
          }}
          startAdornment={isDollars ? <InputAdornment position="start">$</InputAdornment> : undefined}
          endAdornment={
            isDollars ? undefined : <InputAdornment position="end">{t('common.quotaUnit')}</InputAdornment>
          }
          sx={{ width: { xs: '100%', sm: 220 } }}
        />
      </FieldFrame>
      <PresetAmounts
        presets={rules.presets}
        amount={amount}
        isDollars={isDollars}
        percentOff={(preset) => percentOff(info, preset, quotaPerUnit)}
        onChoose={(preset) => setText(String(preset))}
      />
      {info.pay_methods.length > 0 && (
        <MethodChoice methods={info.pay_methods} value={method?.type ?? ''} onChange={setChosen} />
      )}
      <Box
        aria-live="polite"
        sx={{
          display: 'flex',
          flexWrap: 'wrap',
          justifyContent: 'space-between',
          gap: 2,
          p: 2,
          borderRadius: '8px',
          bgcolor: 'soft.sunken',
        }}
      >
        <Line label={t('wallet.topUp.receive')}>
          {fault === undefined ? <Quota value={quotaOf(info, amount, quotaPerUnit)} /> : '–'}
        </Line>
        <Line label={t('wallet.topUp.pay')}>
          {fault !== undefined || sum.isError ? (
            '–'
          ) : sum.data === undefined ? (
            <Skeleton width={72} />
          ) : (
            moneyText(sum.data, method?.currency ?? '')
          )}
        </Line>
      </Box>
      <FailureAlert failure={failure} />
      {tooMany && (
        <Alert severity="warning">{t('wallet.topUp.tooMany', { count: info.max_pending_orders })}</Alert>
      )}
      <Box>
        <Button
          type="submit"
          variant="contained"
          loading={pay.isPending}
          disabled={fault !== undefined || sum.data === undefined || tooMany}
        >
          {t('wallet.topUp.submit', { method: methodName(method?.type ?? '', method?.name) })}
        </Button>
        <Typography variant="body2" color="textSecondary" sx={{ mt: 1 }}>
          {t('wallet.topUp.leaving')}
        </Typography>
      </Box>
    </Box>
  );
}

function Line({ label, children }: { label: string; children: ReactNode }) {
  return (
    <Box sx={{ minWidth: 0 }}>
      <Typography variant="body2" color="textSecondary">
        {label}
      </Typography>
      <Box sx={{ fontSize: 18, fontWeight: 620 }}>{children}</Box>
    </Box>
  );
}

/** Fault of an amount; undefined = none. */
function faultOf(
  amount: number,
  min: number,
  max: number,
): { word: 'whole' | 'tooSmall' | 'tooLarge'; limit: number } | undefined {
  if (!Number.isSafeInteger(amount)) return { word: 'whole', limit: 0 };
  if (amount < min) return { word: 'tooSmall', limit: min };
  if (amount > max) return { word: 'tooLarge', limit: max };
  return undefined;
}

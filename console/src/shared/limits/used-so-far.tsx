import Typography from '@mui/material/Typography';
import { useQuery } from '@tanstack/react-query';
import { useWatch, type UseFormReturn } from 'react-hook-form';
import { useTranslation } from 'react-i18next';
import { useQuotaSettings } from '../session/status';
import { type LimitValues, toCreate } from './limit.schema';
import { limitAmount } from './limit-texts';
import { limitPreviewQuery } from './limits.api';

/** Use that a new limit starts with: the running period is counted from its start. Nothing before its target is entered. */
export function UsedSoFar({ form }: { form: UseFormReturn<LimitValues> }) {
  const { t } = useTranslation();
  const settings = useQuotaSettings();
  const values = useWatch({ control: form.control }) as LimitValues;
  const { scope, each, subject, measure } = values;
  const isKnown = scope === 'everyone' || each || subject.trim() !== '';
  const body = toCreate({ ...values, amount: 0, warnAt: [] }, 'preview');
  const { data } = useQuery({ ...limitPreviewQuery(body), enabled: isKnown && measure !== 'in_flight' });
  if (data === undefined || data.used === 0) return null;
  return (
    <Typography variant="body2" color="textSecondary" role="status">
      {t(data.values > 1 ? 'limits.soFarMost' : 'limits.soFar', {
        used: limitAmount(t, measure, data.used, settings),
      })}
    </Typography>
  );
}

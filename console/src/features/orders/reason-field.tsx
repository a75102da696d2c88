import type { TFunction } from 'i18next';
import type { Control, FieldPath, FieldValues } from 'react-hook-form';
import { useTranslation } from 'react-i18next';
import * as z from 'zod/mini';
import { TextField } from '../../shared/form/text-field';
import { LIMITS } from '../../shared/form/limits';
import { atMost } from '../../shared/form/rules';

/** Reason for moving money that no payment service confirmed. */
export const reasonSchema = (t: TFunction) =>
  z.string().check(z.trim(), z.minLength(1, t('orders.complete.needsReason')), atMost(t, LIMITS.orderReason));

export function ReasonField<T extends FieldValues>(props: { control: Control<T>; name: FieldPath<T> }) {
  const { t } = useTranslation();
  return (
    <TextField
      {...props}
      label={t('orders.complete.reason')}
      help={t('orders.complete.reasonHelp')}
      lines={2}
      required
    />
  );
}

import { zodResolver } from '@hookform/resolvers/zod';
import { useMemo } from 'react';
import { useForm } from 'react-hook-form';
import type { TFunction } from 'i18next';
import { useTranslation } from 'react-i18next';
import * as z from 'zod/mini';
import { DialogForm } from '../dialog/dialog-form';
import { toast } from '../feedback/toast';
import { LIMITS } from '../form/limits';
import { NumberField } from '../form/number-field';
import { atMost, wholeNumber } from '../form/rules';
import { TextField } from '../form/text-field';
import { QuotaField } from '../money/quota-field';
import { type Limit, useOverrideLimit, useResetLimit } from './limits.api';

const reasonSchema = (t: TFunction) =>
  z.string().check(z.trim(), z.minLength(1, t('limits.error.reason')), atMost(t, LIMITS.limitReason));

interface LimitDialogProps {
  limit: Limit;
  onClose: () => void;
}

/** Sets another amount until the running period ends. */
export function OverrideDialog({ limit, onClose }: LimitDialogProps) {
  const { t } = useTranslation();
  const override = useOverrideLimit();
  const schema = useMemo(
    () => z.object({ amount: wholeNumber(t, { min: 0 }), reason: reasonSchema(t) }),
    [t],
  );
  const form = useForm({
    resolver: zodResolver(schema),
    defaultValues: { amount: limit.override?.amount ?? limit.amount, reason: '' },
  });
  return (
    <DialogForm
      open
      maxWidth="sm"
      title={t('limits.override.title', { name: limit.name })}
      explanation={t('limits.override.text')}
      form={form}
      onSubmit={async (values) => {
        await override.mutateAsync({ ...values, id: limit.id });
        toast('success', t('limits.done.overridden'));
        onClose();
      }}
      onClose={onClose}
      submitLabel={t('limits.override.submit')}
    >
      {limit.measure === 'quota' ? (
        <QuotaField control={form.control} name="amount" label={t('limits.form.amount')} />
      ) : (
        <NumberField control={form.control} name="amount" label={t('limits.form.amount')} min={0} />
      )}
      <TextField control={form.control} name="reason" label={t('limits.reason')} required />
    </DialogForm>
  );
}

/** Takes the use of the running period off; of a limit for each, that of the value with the largest use. */
export function ResetDialog({ limit, onClose }: LimitDialogProps) {
  const { t } = useTranslation();
  const reset = useResetLimit();
  const schema = useMemo(() => z.object({ reason: reasonSchema(t) }), [t]);
  const form = useForm({ resolver: zodResolver(schema), defaultValues: { reason: '' } });
  const value = limit.use?.value ?? '';
  return (
    <DialogForm
      open
      title={t('limits.reset.title', { name: limit.name })}
      explanation={
        value === ''
          ? t('limits.reset.text')
          : t('limits.reset.textOf', { value: limit.use?.value_name ?? value })
      }
      form={form}
      onSubmit={async ({ reason }) => {
        await reset.mutateAsync({ id: limit.id, value: limit.each ? value : '', reason });
        toast('success', t('limits.done.reset'));
        onClose();
      }}
      onClose={onClose}
      submitLabel={t('limits.reset.submit')}
      danger
    >
      <TextField control={form.control} name="reason" label={t('limits.reason')} required />
    </DialogForm>
  );
}

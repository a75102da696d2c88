import { zodResolver } from '@hookform/resolvers/zod';
import Typography from '@mui/material/Typography';
import { useMemo, useState } from 'react';
import { useForm, useWatch } from 'react-hook-form';
import { useTranslation } from 'react-i18next';
import * as z from 'zod/mini';
import { DialogForm } from '../../shared/dialog/dialog-form';
import { toast } from '../../shared/feedback/toast';
import { QuotaField } from '../../shared/money/quota-field';
import { SelectField } from '../../shared/form/select-field';
import { TextField } from '../../shared/form/text-field';
import { exactQuota, formatQuota } from '../../shared/format/quota';
import { useFreshly } from '../../shared/identity/step-up';
import { useQuotaSettings } from '../../shared/session/status';
import { Facts } from '../../shared/value/facts';
import { LIMITS } from '../../shared/form/limits';
import { atMost, wholeNumber } from '../../shared/form/rules';
import { useAdjustQuota, type QuotaMode, type User } from './api';
import { newOperationId } from '../../shared/browser/operation-id';
import { balanceAfter } from './adjust-quota';

const MODES = ['add', 'subtract', 'override'] as const satisfies readonly QuotaMode[];

interface AdjustQuotaDialogProps {
  /** Null = closed. */
  user: User | null;
  onClose: () => void;
}

/** Gives quota, takes it, or sets the balance, with a reason that stays in the books. */
export function AdjustQuotaDialog({ user, onClose }: AdjustQuotaDialogProps) {
  const { t } = useTranslation();
  const settings = useQuotaSettings();
  const freshly = useFreshly();
  const adjust = useAdjustQuota();
  // A dialog that closes still shows whom it was about.
  const [shown, setShown] = useState(user);
  const [operationId, setOperationId] = useState(newOperationId);
  if (user !== null && user !== shown) {
    setShown(user);
    setOperationId(newOperationId());
  }
  const schema = useMemo(
    () =>
      z
        .object({
          mode: z.enum(MODES),
          value: wholeNumber(t),
          reason: z.string().check(z.trim(), atMost(t, LIMITS.accountReason)),
        })
        .check(
          z.refine(({ mode, value }) => mode === 'override' || value > 0, {
            path: ['value'],
            message: t('users.quota.aboveZero'),
          }),
        ),
    [t],
  );
  const form = useForm({
    resolver: zodResolver(schema),
    defaultValues: { mode: 'add' as QuotaMode, value: Number.NaN, reason: '' },
  });
  const [mode, value] = useWatch({ control: form.control, name: ['mode', 'value'] });
  const balance = shown?.quota ?? 0;
  const after = balanceAfter(balance, mode, value);
  const amount = (quota: number) => `${formatQuota(quota, settings)} (${exactQuota(quota)})`;
  return (
    <DialogForm
      open={user !== null}
      title={t('users.quota.title', { name: shown?.username ?? '' })}
      form={form}
      submitLabel={t('users.quota.submit')}
      onClose={onClose}
      onSubmit={async (values) => {
        if (user === null) return;
        await freshly(() => adjust.mutateAsync({ id: user.id, operation_id: operationId, ...values }));
        setOperationId(newOperationId());
        toast('success', t('users.done'));
        onClose();
      }}
    >
      <SelectField
        control={form.control}
        name="mode"
        label={t('users.quota.mode')}
        options={MODES.map((each) => ({ value: each, label: t(`users.quota.modes.${each}`) }))}
      />
      <QuotaField
        control={form.control}
        name="value"
        label={t('users.quota.amount')}
        presets={[500_000, 2_500_000, 5_000_000, 25_000_000]}
      />
      <TextField
        control={form.control}
        name="reason"
        label={t('users.form.reason')}
        help={t('users.quota.reasonHelp')}
      />
      <Facts
        facts={[
          [t('users.quota.now'), amount(balance)],
          [
            t('users.quota.after'),
            after === undefined ? (
              '—'
            ) : (
              <Typography
                key="after"
                component="span"
                variant="body2"
                color={after < 0 ? 'error' : undefined}
              >
                {amount(after)}
              </Typography>
            ),
          ],
        ]}
      />
    </DialogForm>
  );
}

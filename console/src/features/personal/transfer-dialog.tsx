import { zodResolver } from '@hookform/resolvers/zod';
import { useMemo, useState } from 'react';
import { useForm } from 'react-hook-form';
import { useTranslation } from 'react-i18next';
import * as z from 'zod/mini';
import { newOperationId } from '../../shared/browser/operation-id';
import { DialogForm } from '../../shared/dialog/dialog-form';
import { toast } from '../../shared/feedback/toast';
import { QuotaField } from '../../shared/money/quota-field';
import { formatQuota } from '../../shared/format/quota';
import { useQuotaSettings } from '../../shared/session/status';
import { wholeNumber } from '../../shared/form/rules';
import { useTransferEarnings } from './api';

interface TransferDialogProps {
  open: boolean;
  /** Pending earnings, in quota. */
  available: number;
  onClose: () => void;
}

/** Moves pending invite earnings into the balance. */
export function TransferDialog({ open, available, onClose }: TransferDialogProps) {
  const { t } = useTranslation();
  const { quotaPerUnit, inCurrency } = useQuotaSettings();
  const transfer = useTransferEarnings();
  // A second try of the same wish is booked once.
  const [operationId, setOperationId] = useState(newOperationId);
  const text = useMemo(
    () => (quota: number) => formatQuota(quota, { quotaPerUnit, inCurrency }),
    [quotaPerUnit, inCurrency],
  );
  const schema = useMemo(
    () =>
      z.object({
        quota: wholeNumber(t).check(
          z.gte(quotaPerUnit, t('personal.transfer.minimum', { amount: text(quotaPerUnit) })),
          z.lte(available, t('personal.transfer.maximum', { amount: text(available) })),
        ),
      }),
    [available, quotaPerUnit, text, t],
  );
  const form = useForm({
    resolver: zodResolver(schema),
    values: { quota: Math.max(quotaPerUnit, available) },
  });
  return (
    <DialogForm
      open={open}
      title={t('personal.transfer.title')}
      form={form}
      submitLabel={t('personal.transfer.submit')}
      onClose={onClose}
      onSubmit={async ({ quota }) => {
        await transfer.mutateAsync({ quota, operationId });
        setOperationId(newOperationId());
        toast('success', t('personal.transfer.done', { amount: text(quota) }));
        onClose();
      }}
    >
      <QuotaField
        control={form.control}
        name="quota"
        label={t('personal.transfer.amount')}
        help={t('personal.transfer.available', { amount: text(available) })}
      />
    </DialogForm>
  );
}

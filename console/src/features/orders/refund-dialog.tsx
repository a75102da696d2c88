import { zodResolver } from '@hookform/resolvers/zod';
import Alert from '@mui/material/Alert';
import { useMemo } from 'react';
import { useForm } from 'react-hook-form';
import { useTranslation } from 'react-i18next';
import * as z from 'zod/mini';
import { DialogForm } from '../../shared/dialog/dialog-form';
import { toast } from '../../shared/feedback/toast';
import { moneyText } from '../../shared/money/order';
import { useRefundOrder, type AdminOrder } from './api';
import { ReasonField, reasonSchema } from './reason-field';

interface RefundDialogProps {
  order: AdminOrder;
  open: boolean;
  onClose: () => void;
}

/** Closes an order whose payment was given back at the payment service; nothing is sent there from here. */
export function RefundDialog({ order, open, onClose }: RefundDialogProps) {
  const { t } = useTranslation();
  const refund = useRefundOrder();
  const schema = useMemo(() => z.object({ reason: reasonSchema(t) }), [t]);
  const form = useForm({ resolver: zodResolver(schema), defaultValues: { reason: '' } });
  return (
    <DialogForm
      open={open}
      title={t('orders.refund.title')}
      form={form}
      onSubmit={async ({ reason }) => {
        await refund.mutateAsync({ trade_no: order.trade_no, reason });
        toast('success', t('orders.refund.done'));
        onClose();
      }}
      onClose={onClose}
      submitLabel={t('orders.refund.submit')}
    >
      <Alert severity="warning" sx={{ alignItems: 'flex-start' }}>
        {t('orders.refund.consequence', { sum: moneyText(order.money_text, order.currency) })}
      </Alert>
      <ReasonField control={form.control} name="reason" />
    </DialogForm>
  );
}

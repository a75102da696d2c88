import { zodResolver } from '@hookform/resolvers/zod';
import Alert from '@mui/material/Alert';
import { useMemo, type ReactNode } from 'react';
import { useForm } from 'react-hook-form';
import { useTranslation } from 'react-i18next';
import * as z from 'zod/mini';
import { DialogForm } from '../../shared/dialog/dialog-form';
import { toast } from '../../shared/feedback/toast';
import { moneyText } from '../../shared/money/order';
import { Quota } from '../../shared/value/quota';
import { useCompleteOrder, useRefundOrder, type AdminOrder } from './api';
import { ReasonField, reasonSchema } from './reason-field';

interface OrderDialogProps {
  order: AdminOrder;
  open: boolean;
  onClose: () => void;
}

/** Credits an order without a payment notice; a reason is required, because no payment service confirmed the money. */
export function CompleteDialog(props: OrderDialogProps) {
  const { t } = useTranslation();
  const complete = useCompleteOrder();
  return (
    <ReasonDialog {...props} wish="complete" send={complete.mutateAsync}>
      {t('orders.complete.who', { name: props.order.username })} <Quota value={props.order.quota} signed />
      <br />
      {t('orders.complete.consequence')}
    </ReasonDialog>
  );
}

/** Closes an order whose payment was given back at the payment service; nothing is sent there from here. */
export function RefundDialog(props: OrderDialogProps) {
  const { t } = useTranslation();
  const refund = useRefundOrder();
  const sum = moneyText(props.order.money_text, props.order.currency);
  return (
    <ReasonDialog {...props} wish="refund" send={refund.mutateAsync}>
      {t('orders.refund.consequence', { sum })}
    </ReasonDialog>
  );
}

interface ReasonDialogProps extends OrderDialogProps {
  wish: 'complete' | 'refund';
  send: (wish: { trade_no: string; reason: string }) => Promise<unknown>;
  /** Consequence of the act. */
  children: ReactNode;
}

function ReasonDialog({ order, open, onClose, wish, send, children }: ReasonDialogProps) {
  const { t } = useTranslation();
  const schema = useMemo(() => z.object({ reason: reasonSchema(t) }), [t]);
  const form = useForm({ resolver: zodResolver(schema), defaultValues: { reason: '' } });
  return (
    <DialogForm
      open={open}
      title={t(`orders.${wish}.title`)}
      form={form}
      onSubmit={async ({ reason }) => {
        await send({ trade_no: order.trade_no, reason });
        toast('success', t(`orders.${wish}.done`));
        onClose();
      }}
      onClose={onClose}
      submitLabel={t(`orders.${wish}.submit`)}
    >
      <Alert severity="warning" sx={{ alignItems: 'flex-start' }}>
        {children}
      </Alert>
      <ReasonField control={form.control} name="reason" />
    </DialogForm>
  );
}

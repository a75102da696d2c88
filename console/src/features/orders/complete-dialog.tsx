import { zodResolver } from '@hookform/resolvers/zod';
import Alert from '@mui/material/Alert';
import { useMemo } from 'react';
import { useForm } from 'react-hook-form';
import { useTranslation } from 'react-i18next';
import * as z from 'zod/mini';
import { DialogForm } from '../../shared/dialog/dialog-form';
import { toast } from '../../shared/feedback/toast';
import { Quota } from '../../shared/value/quota';
import { useCompleteOrder, type AdminOrder } from './api';
import { ReasonField, reasonSchema } from './reason-field';

interface CompleteDialogProps {
  order: AdminOrder;
  open: boolean;
  onClose: () => void;
}

/** Credits an order nobody was told about; why is asked for, because it is money without a payment service's word. */
export function CompleteDialog({ order, open, onClose }: CompleteDialogProps) {
  const { t } = useTranslation();
  const complete = useCompleteOrder();
  const schema = useMemo(() => z.object({ reason: reasonSchema(t) }), [t]);
  const form = useForm({ resolver: zodResolver(schema), defaultValues: { reason: '' } });
  return (
    <DialogForm
      open={open}
      title={t('orders.complete.title')}
      form={form}
      onSubmit={async ({ reason }) => {
        await complete.mutateAsync({ trade_no: order.trade_no, reason });
        toast('success', t('orders.complete.done'));
        onClose();
      }}
      onClose={onClose}
      submitLabel={t('orders.complete.submit')}
    >
      <Alert severity="warning" sx={{ alignItems: 'flex-start' }}>
        {t('orders.complete.who', { name: order.username })} <Quota value={order.quota} signed />
        <br />
        {t('orders.complete.consequence')}
      </Alert>
      <ReasonField control={form.control} name="reason" />
    </DialogForm>
  );
}

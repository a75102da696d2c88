import { zodResolver } from '@hookform/resolvers/zod';
import Alert from '@mui/material/Alert';
import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { useForm, useWatch } from 'react-hook-form';
import { useTranslation } from 'react-i18next';
import * as z from 'zod/mini';
import { DialogForm } from '../../shared/dialog/dialog-form';
import { toast } from '../../shared/feedback/toast';
import { NumberField } from '../../shared/form/number-field';
import { Quota } from '../../shared/value/quota';
import { receiverQuery, useCompleteOrder, type AdminOrder } from './api';
import { ReasonField, reasonSchema } from './reason-field';

interface ReassignDialogProps {
  order: AdminOrder;
  open: boolean;
  onClose: () => void;
}

/** Credits what a deregistered account paid to another account, whose name is shown before anything moves. */
export function ReassignDialog({ order, open, onClose }: ReassignDialogProps) {
  const { t } = useTranslation();
  const complete = useCompleteOrder();
  const schema = useMemo(() => {
    const sentence = t('orders.reassign.needsAccount');
    return z.object({ account: z.int(sentence).check(z.gte(1, sentence)), reason: reasonSchema(t) });
  }, [t]);
  const form = useForm({ resolver: zodResolver(schema), defaultValues: { account: Number.NaN, reason: '' } });
  const id = useWatch({ control: form.control, name: 'account' });
  const receiver = useQuery(receiverQuery(id));
  return (
    <DialogForm
      open={open}
      title={t('orders.reassign.title')}
      form={form}
      onSubmit={async ({ account, reason }) => {
        await complete.mutateAsync({ trade_no: order.trade_no, user_id: account, reason });
        toast('success', t('orders.reassign.done'));
        onClose();
      }}
      onClose={onClose}
      submitLabel={t('orders.reassign.submit')}
    >
      <NumberField
        control={form.control}
        name="account"
        label={t('orders.reassign.account')}
        help={t('orders.reassign.accountHelp')}
        min={1}
        required
      />
      <Alert severity="warning" sx={{ alignItems: 'flex-start' }}>
        {receiver.data !== undefined && (
          <>
            {t('orders.reassign.who', { name: receiver.data.username, id: receiver.data.id })}{' '}
            <Quota value={order.quota} signed />
            <br />
          </>
        )}
        {receiver.isError && (
          <>
            {t('orders.reassign.nobody')}
            <br />
          </>
        )}
        {t('orders.reassign.consequence')}
      </Alert>
      <ReasonField control={form.control} name="reason" />
    </DialogForm>
  );
}

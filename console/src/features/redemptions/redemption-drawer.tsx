import { zodResolver } from '@hookform/resolvers/zod';
import Alert from '@mui/material/Alert';
import Box from '@mui/material/Box';
import { useQuery } from '@tanstack/react-query';
import { useMemo, type ReactNode } from 'react';
import { useForm } from 'react-hook-form';
import { useTranslation } from 'react-i18next';
import { Failed } from '../../shared/feedback/failed';
import { Loading } from '../../shared/feedback/loading';
import { toast } from '../../shared/feedback/toast';
import { FormDrawer } from '../../shared/form/form-drawer';
import { NumberField } from '../../shared/form/number-field';
import { QuotaField, USUAL_AMOUNTS } from '../../shared/money/quota-field';
import { TextField } from '../../shared/form/text-field';
import { TimeField } from '../../shared/form/time-field';
import { redemptionQuery, useCreateRedemptions, useEditRedemption, type Redemption } from './api';
import type { NewCodes } from './new-codes-dialog';
import { isEditable } from './redemption.labels';
import {
  NEW_REDEMPTION,
  redemptionSchema,
  toInput,
  toValues,
  type RedemptionValues,
} from './redemption.schema';

interface RedemptionDrawerProps {
  /** `new`, or the id of a code. */
  edited: 'new' | number;
  onClose: () => void;
  onMade: (made: NewCodes) => void;
}

export function RedemptionDrawer({ edited, ...rest }: RedemptionDrawerProps) {
  return edited === 'new' ? <RedemptionForm {...rest} /> : <EditRedemption id={edited} {...rest} />;
}

type FormProps = Omit<RedemptionDrawerProps, 'edited'>;

function EditRedemption({ id, ...rest }: FormProps & { id: number }) {
  const { t } = useTranslation();
  const { data, error, isError, refetch } = useQuery(redemptionQuery(id));
  if (data !== undefined && isEditable(data)) return <RedemptionForm code={data} {...rest} />;
  const instead = isError ? (
    <Failed title={t('redemptions.form.notFound')} error={error} onRetry={() => void refetch()} />
  ) : data === undefined ? (
    <Loading />
  ) : (
    <Box sx={{ p: 3 }}>
      <Alert severity="info">{t('redemptions.form.locked')}</Alert>
    </Box>
  );
  return <RedemptionForm instead={instead} {...rest} />;
}

function RedemptionForm({
  code,
  instead,
  onClose,
  onMade,
}: FormProps & { code?: Redemption; instead?: ReactNode }) {
  const { t } = useTranslation();
  const isNew = code === undefined && instead === undefined;
  const schema = useMemo(() => redemptionSchema(t, code), [t, code]);
  const form = useForm<RedemptionValues>({
    resolver: zodResolver(schema),
    defaultValues: NEW_REDEMPTION,
    values: code === undefined ? undefined : toValues(code),
  });
  const { control } = form;
  const create = useCreateRedemptions();
  const edit = useEditRedemption();

  const submit = async (values: RedemptionValues) => {
    const input = toInput(values);
    if (code === undefined) {
      const codes = await create.mutateAsync({ ...input, count: values.count });
      onMade({ name: input.name, codes });
    } else {
      await edit.mutateAsync({ ...input, id: code.id });
      toast('success', t('redemptions.done.saved'));
      onClose();
    }
  };

  return (
    <FormDrawer
      open
      title={t(isNew ? 'redemptions.form.addTitle' : 'redemptions.form.editTitle')}
      form={form}
      onSubmit={submit}
      onClose={onClose}
      submitLabel={t(isNew ? 'redemptions.form.create' : 'common.save')}
      fieldLabels={{
        name: t('redemptions.form.name'),
        quota: t('redemptions.form.quota'),
        count: t('redemptions.form.count'),
        expires: t('redemptions.form.expires'),
      }}
      loading={instead}
    >
      <TextField
        control={control}
        name="name"
        label={t('redemptions.form.name')}
        help={t('redemptions.form.nameHelp')}
        autoFocus={isNew}
        required
      />
      <QuotaField
        control={control}
        name="quota"
        label={t('redemptions.form.quota')}
        help={t('redemptions.form.quotaHelp')}
        presets={USUAL_AMOUNTS}
      />
      {isNew && (
        <NumberField
          control={control}
          name="count"
          label={t('redemptions.form.count')}
          help={t('redemptions.form.countHelp')}
          min={1}
          max={100}
        />
      )}
      <TimeField
        control={control}
        name="expires"
        label={t('redemptions.form.expires')}
        help={t('redemptions.form.expiresHelp')}
        spans={['never', 'week', 'month', 'year']}
      />
    </FormDrawer>
  );
}

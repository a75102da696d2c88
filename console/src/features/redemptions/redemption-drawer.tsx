import Alert from '@mui/material/Alert';
import Box from '@mui/material/Box';
import { useCallback } from 'react';
import { useTranslation } from 'react-i18next';
import { toast } from '../../shared/feedback/toast';
import { FormDrawer } from '../../shared/form/form-drawer';
import { NumberField } from '../../shared/form/number-field';
import { QuotaField, USUAL_AMOUNTS } from '../../shared/money/quota-field';
import { TextField } from '../../shared/form/text-field';
import { TimeField } from '../../shared/form/time-field';
import { useEditDrawer } from '../../shared/resource/use-edit-drawer';
import { LIMITS } from '../../shared/form/limits';
import { redemptionQuery, useCreateRedemptions, useEditRedemption, type Redemption } from './api';
import type { NewCodes } from './new-codes-dialog';
import { isEditable } from './redemption.labels';
import { NEW_REDEMPTION, redemptionSchema, toInput, toValues } from './redemption.schema';

interface RedemptionDrawerProps {
  /** `new`, or the id of a code. */
  edited: 'new' | number;
  onClose: () => void;
  onMade: (made: NewCodes) => void;
}

export function RedemptionDrawer({ edited, onClose, onMade }: RedemptionDrawerProps) {
  const { t } = useTranslation();
  const create = useCreateRedemptions();
  const edit = useEditRedemption();
  const { form, isNew, drawerProps } = useEditDrawer({
    id: edited,
    texts: 'redemptions',
    load: redemptionQuery,
    schema: useCallback((code: Redemption | undefined) => redemptionSchema(t, code), [t]),
    initial: NEW_REDEMPTION,
    toValues,
    create: async (values) => {
      const input = toInput(values);
      const codes = await create.mutateAsync({ ...input, count: values.count });
      onMade({ name: input.name, codes });
      return false;
    },
    save: async (code, values) => {
      await edit.mutateAsync({ ...toInput(values), id: code.id });
      toast('success', t('redemptions.done.saved'));
    },
    onClose,
    locked: (code) =>
      isEditable(code) ? undefined : (
        <Box sx={{ p: 3 }}>
          <Alert severity="info">{t('redemptions.form.locked')}</Alert>
        </Box>
      ),
  });

  return (
    <FormDrawer {...drawerProps}>
      <TextField
        control={form.control}
        name="name"
        label={t('redemptions.form.name')}
        help={t('redemptions.form.nameHelp')}
        autoFocus={isNew}
        required
      />
      <QuotaField
        control={form.control}
        name="quota"
        label={t('redemptions.form.quota')}
        help={t('redemptions.form.quotaHelp')}
        presets={USUAL_AMOUNTS}
      />
      {isNew && (
        <NumberField
          control={form.control}
          name="count"
          label={t('redemptions.form.count')}
          help={t('redemptions.form.countHelp')}
          min={1}
          max={LIMITS.codesAtOnce}
        />
      )}
      <TimeField
        control={form.control}
        name="expires"
        label={t('redemptions.form.expires')}
        help={t('redemptions.form.expiresHelp')}
        spans={['never', 'week', 'month', 'year']}
      />
    </FormDrawer>
  );
}

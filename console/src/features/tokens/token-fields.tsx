import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import { useQuery } from '@tanstack/react-query';
import { useWatch, type UseFormReturn } from 'react-hook-form';
import { useTranslation } from 'react-i18next';
import { FormSection } from '../../shared/form/form-section';
import { NumberField } from '../../shared/form/number-field';
import { QuotaField, USUAL_AMOUNTS } from '../../shared/money/quota-field';
import { SelectField } from '../../shared/form/select-field';
import { SwitchField } from '../../shared/form/switch-field';
import { TagField } from '../../shared/form/tag-field';
import { TextField } from '../../shared/form/text-field';
import { TimeField } from '../../shared/form/time-field';
import { usableGroupsQuery, usableModelsQuery } from '../../shared/session/reference-lists';
import { TokenAdvanced } from './token-advanced';
import { COUNT_PRESETS, MAX_TOKENS, type TokenValues } from './token.schema';

interface TokenFieldsProps {
  form: UseFormReturn<TokenValues>;
  isNew: boolean;
}

/** The inputs of a token, the same for creating and editing. */
export function TokenFields({ form, isNew }: TokenFieldsProps) {
  const { t } = useTranslation();
  const { control } = form;
  const unlimited = useWatch({ control, name: 'unlimited' });
  const models = useQuery(usableModelsQuery);
  return (
    <>
      <TextField
        control={control}
        name="name"
        label={t('tokens.form.name')}
        help={t('tokens.form.nameHelp')}
        autoFocus={isNew}
        required
      />
      <SwitchField
        control={control}
        name="unlimited"
        label={t('tokens.form.unlimited')}
        help={t('tokens.form.unlimitedHelp')}
      />
      {!unlimited && (
        <QuotaField
          control={control}
          name="quota"
          label={t('tokens.form.quota')}
          help={t('tokens.form.quotaHelp')}
          presets={USUAL_AMOUNTS}
        />
      )}
      <TimeField
        control={control}
        name="expires"
        label={t('tokens.form.expires')}
        help={t('tokens.form.expiresHelp')}
        spans={['never', 'hour', 'day', 'month']}
      />
      <GroupField form={form} />
      <FormSection title={t('tokens.form.limits')}>
        <TagField
          control={control}
          name="models"
          label={t('tokens.form.models')}
          help={t('tokens.form.modelsHelp')}
          options={models.data ?? []}
          loading={models.isPending}
          mono
          free
        />
        <TextField
          control={control}
          name="addresses"
          label={t('tokens.form.addresses')}
          help={t('tokens.form.addressesHelp')}
          lines={2}
          mono
        />
      </FormSection>
      <TokenAdvanced form={form} />
      {isNew && (
        <Box sx={{ display: 'grid', gap: 0.75 }}>
          <NumberField
            control={control}
            name="count"
            label={t('tokens.form.count')}
            help={t('tokens.form.countHelp')}
            min={1}
            max={MAX_TOKENS}
          />
          <Box sx={{ display: 'flex', gap: 0.5 }}>
            {COUNT_PRESETS.map((count) => (
              <Button
                key={count}
                size="small"
                variant="outlined"
                color="inherit"
                onClick={() => form.setValue('count', count)}
              >
                {count}
              </Button>
            ))}
          </Box>
        </Box>
      )}
    </>
  );
}

function GroupField({ form }: { form: UseFormReturn<TokenValues> }) {
  const { t } = useTranslation();
  const groups = useQuery(usableGroupsQuery);
  const none = groups.data?.length === 0;
  const options = [
    { value: '', label: none ? t('tokens.form.groupNone') : t('tokens.form.groupOwn') },
    ...(groups.data ?? []).map((group) => ({
      value: group.name,
      label:
        group.description === '' || group.description === group.name
          ? group.name
          : `${group.name} · ${group.description}`,
      note: t('tokens.form.ratio', { ratio: group.ratio }),
    })),
  ];
  return (
    <SelectField
      control={form.control}
      name="group"
      label={t('tokens.form.group')}
      help={t('tokens.form.groupHelp')}
      options={options}
      disabled={none}
    />
  );
}

import Box from '@mui/material/Box';
import { useQuery } from '@tanstack/react-query';
import type { UseFormReturn } from 'react-hook-form';
import { useTranslation } from 'react-i18next';
import { FormSection } from '../../shared/form/form-section';
import { NumberField } from '../../shared/form/number-field';
import { SwitchField } from '../../shared/form/switch-field';
import { TagField } from '../../shared/form/tag-field';
import { TextField } from '../../shared/form/text-field';
import { groupsQuery } from '../../shared/session/reference-lists';
import type { ChannelValues } from './channel.schema';

/** Groups, priority, weight and tag of a channel. */
export function RoutingPart({ form: { control } }: { form: UseFormReturn<ChannelValues> }) {
  const { t } = useTranslation();
  const groups = useQuery(groupsQuery);
  return (
    <FormSection title={t('channels.form.routing')}>
      <TagField
        control={control}
        name="groups"
        label={t('channels.form.groups')}
        help={t('channels.form.groupsHelp')}
        options={groups.data ?? ['default']}
        free
        required
      />
      <Box sx={{ display: 'grid', gap: 2, gridTemplateColumns: { xs: '1fr', sm: '1fr 1fr' } }}>
        <NumberField
          control={control}
          name="priority"
          label={t('channels.form.priority')}
          help={t('channels.form.priorityHelp')}
          min={-999}
        />
        <NumberField
          control={control}
          name="weight"
          label={t('channels.form.weight')}
          help={t('channels.form.weightHelp')}
          min={0}
        />
      </Box>
      <TextField
        control={control}
        name="tag"
        label={t('channels.form.tag')}
        help={t('channels.form.tagHelp')}
      />
      <SwitchField
        control={control}
        name="autoBan"
        label={t('channels.form.autoBan')}
        help={t('channels.form.autoBanHelp')}
      />
    </FormSection>
  );
}

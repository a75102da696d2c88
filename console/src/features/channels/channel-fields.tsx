import Box from '@mui/material/Box';
import { useQuery } from '@tanstack/react-query';
import { useWatch, type UseFormReturn } from 'react-hook-form';
import { useTranslation } from 'react-i18next';
import { FormSection } from '../../shared/form/form-section';
import { NumberField } from '../../shared/form/number-field';
import { SwitchField } from '../../shared/form/switch-field';
import { TagField } from '../../shared/form/tag-field';
import { TextField } from '../../shared/form/text-field';
import { groupsQuery } from '../../shared/session/reference-lists';
import { AdvancedPart } from './advanced-part';
import type { Channel, ChannelType } from './api';
import type { ChannelValues } from './channel.schema';
import { findType } from './channel.types';
import { ConnectionPart } from './connection-part';
import { ModelsPart } from './models-part';

interface ChannelFieldsProps {
  form: UseFormReturn<ChannelValues>;
  types: readonly ChannelType[];
  /** Absent for a new channel. */
  channel: Channel | undefined;
}

/** The inputs of a channel, the same for adding and editing. */
export function ChannelFields({ form, types, channel }: ChannelFieldsProps) {
  const { t } = useTranslation();
  const { control } = form;
  const typeCode = useWatch({ control, name: 'type' });
  const groups = useQuery(groupsQuery);
  return (
    <>
      <ConnectionPart
        form={form}
        types={types}
        isNew={channel === undefined}
        hasRing={channel?.channel_info.is_multi_key === true}
      />
      <ModelsPart form={form} type={findType(types, Number(typeCode))} channelId={channel?.id} />
      <TagField
        control={control}
        name="groups"
        label={t('channels.form.groups')}
        help={t('channels.form.groupsHelp')}
        options={groups.data ?? ['default']}
        free
        required
      />
      <FormSection title={t('channels.form.routing')}>
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
      <AdvancedPart form={form} />
    </>
  );
}

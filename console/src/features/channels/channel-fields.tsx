import { useWatch, type UseFormReturn } from 'react-hook-form';
import { useTranslation } from 'react-i18next';
import { TextField } from '../../shared/form/text-field';
import { AddressField, ExtraField, needsAddress } from './address-field';
import { AdvancedPart } from './advanced-part';
import type { Channel, ChannelPreset, ChannelType } from './api';
import { findPreset } from './channel-presets';
import type { ChannelValues } from './channel.schema';
import { findType } from './channel.types';
import { KeyField } from './key-fields';
import { ModelsPart } from './models-part';
import { ProviderField } from './provider-field';
import { UnpricedModels } from './unpriced-models';
import type { FormPrices } from './use-form-prices';
import { useProvider } from './use-provider';
import { isKeyKind, VendorSwitch } from './vendor-switch';

interface ChannelFieldsProps {
  form: UseFormReturn<ChannelValues>;
  types: readonly ChannelType[];
  presets: readonly ChannelPreset[];
  /** Absent for a new channel. */
  channel: Channel | undefined;
  prices: FormPrices;
}

/** The inputs of a channel, the same for adding and editing: key, provider and models; the others under Advanced. */
export function ChannelFields({ form, types, presets, channel, prices }: ChannelFieldsProps) {
  const { t } = useTranslation();
  const { control } = form;
  const [typeCode, vendor] = useWatch({ control, name: ['type', 'vendor'] });
  const type = typeCode === '' ? undefined : findType(types, Number(typeCode));
  const preset = findPreset(presets, Number(typeCode), vendor['preset']);
  const isNew = channel === undefined;
  const hasRing = channel?.channel_info.is_multi_key === true;
  const { choose, recognise } = useProvider(form, types, presets, isNew);
  return (
    <>
      <KeyField
        form={form}
        type={type}
        example={preset?.key_example ?? type?.key_example}
        isNew={isNew}
        hasRing={hasRing}
        onType={recognise}
      />
      <ProviderField form={form} types={types} presets={presets} onChoose={choose} />
      {needsAddress(type, preset) && <AddressField form={form} type={type} preset={preset} />}
      {type?.switches.filter(isKeyKind).map((each) => (
        <VendorSwitch key={each.name} control={control} of={each} />
      ))}
      {type?.needs_other === true && <ExtraField form={form} type={type} />}
      <ModelsPart form={form} type={type} preset={preset} channelId={channel?.id} />
      <UnpricedModels prices={prices} />
      <TextField
        control={control}
        name="name"
        label={t('channels.form.name')}
        help={t('channels.form.nameHelp')}
        required
      />
      <AdvancedPart form={form} type={type} preset={preset} isNew={isNew} hasRing={hasRing} />
    </>
  );
}

import { useWatch, type UseFormReturn } from 'react-hook-form';
import { useTranslation } from 'react-i18next';
import { FormSection } from '../../shared/form/form-section';
import { TextField } from '../../shared/form/text-field';
import { AddressField, ExtraField, needsAddress } from './address-field';
import type { ChannelPreset, ChannelType } from './api';
import type { ChannelValues } from './channel.schema';
import { KeyUseFields } from './key-fields';
import { isKeyKind, VendorSwitch } from './vendor-switch';

interface ConnectionPartProps {
  form: UseFormReturn<ChannelValues>;
  /** Undefined = not chosen yet, or not known. */
  type: ChannelType | undefined;
  preset: ChannelPreset | undefined;
  isNew: boolean;
  /** The stored channel has several keys. */
  hasRing: boolean;
}

/** Address, use of the key field and fields of single types, as far as most channels do without. */
export function ConnectionPart({ form, type, preset, isNew, hasRing }: ConnectionPartProps) {
  const { t } = useTranslation();
  const { control } = form;
  const typeCode = useWatch({ control, name: 'type' });
  return (
    <FormSection title={t('channels.form.basics')}>
      {!needsAddress(type, preset) && <AddressField form={form} type={type} preset={preset} />}
      <KeyUseFields form={form} isNew={isNew} hasRing={hasRing} />
      {type?.needs_other === false && <ExtraField form={form} type={type} />}
      {type?.switches
        .filter((each) => !isKeyKind(each))
        .map((each) => (
          <VendorSwitch key={each.name} control={control} of={each} />
        ))}
      {typeCode === '1' && (
        <TextField
          control={control}
          name="organization"
          label={t('channels.form.organization')}
          help={t('channels.form.organizationHelp')}
        />
      )}
    </FormSection>
  );
}

import type { TFunction } from 'i18next';
import type { UseFormReturn } from 'react-hook-form';
import { useTranslation } from 'react-i18next';
import { TextField } from '../../shared/form/text-field';
import type { ChannelPreset, ChannelType } from './api';
import type { ChannelValues } from './channel.schema';

/** The type whose base address is the complete one. */
const CUSTOM = 8;

interface TypedFieldProps {
  form: UseFormReturn<ChannelValues>;
  /** Undefined = not chosen yet, or not known. */
  type: ChannelType | undefined;
}

/** Base address of the channel. */
export function AddressField({
  form,
  type,
  preset,
}: TypedFieldProps & { preset: ChannelPreset | undefined }) {
  const { t } = useTranslation();
  return (
    <TextField
      control={form.control}
      name="baseUrl"
      label={t('channels.form.baseUrl')}
      help={addressHelp(t, type, preset)}
      required={needsAddress(type, preset)}
      mono
    />
  );
}

/** The field beside the key that only this type has. */
export function ExtraField({ form, type }: TypedFieldProps) {
  const { t } = useTranslation();
  if (type === undefined || type.other === 'none') return null;
  return (
    <TextField
      control={form.control}
      name="other"
      label={t(`channels.other.${type.other}`)}
      help={t(`channels.otherHelp.${type.other}`)}
      placeholder={type.other_example}
      required={type.needs_other}
      {...(type.other === 'region' ? { lines: 1 } : {})}
      mono
    />
  );
}

function addressHelp(t: TFunction, type: ChannelType | undefined, preset: ChannelPreset | undefined): string {
  if (preset !== undefined)
    return preset.base_url === ''
      ? t('channels.form.baseUrlNeeded', { example: preset.base_url_example })
      : t('channels.form.baseUrlHelp', { address: preset.base_url });
  const example = type?.base_url_example ?? 'http://localhost:8000';
  if (type?.code === CUSTOM) return t('channels.form.baseUrlFull', { example });
  if (type === undefined || type.needs_base_url) return t('channels.form.baseUrlNeeded', { example });
  const own = t('channels.form.baseUrlHelp', { address: type.base_url });
  if (type.named_base_urls.length === 0) return own;
  return `${own} ${t('channels.form.baseUrlNames', { names: type.named_base_urls.join(', ') })}`;
}

/** An address has to be typed: the type or the preset has none. */
export const needsAddress = (type: ChannelType | undefined, preset: ChannelPreset | undefined): boolean =>
  type?.needs_base_url === true || preset?.base_url === '';

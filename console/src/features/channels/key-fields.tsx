import { useWatch, type UseFormReturn } from 'react-hook-form';
import { useTranslation } from 'react-i18next';
import { SelectField } from '../../shared/form/select-field';
import { SwitchField } from '../../shared/form/switch-field';
import { SecretField, TextField } from '../../shared/form/text-field';
import type { ChannelType } from './api';
import type { ChannelValues } from './channel.schema';

interface KeyFieldProps {
  form: UseFormReturn<ChannelValues>;
  type: ChannelType | undefined;
  example: string | undefined;
  isNew: boolean;
  /** The stored channel has several keys. */
  hasRing: boolean;
  /** After each change by hand. */
  onType: (key: string) => void;
}

/** The key: one, a channel per line, or several in this channel. */
export function KeyField({ form, type, example, isNew, hasRing, onType }: KeyFieldProps) {
  const { t } = useTranslation();
  const { control } = form;
  const keyUse = useWatch({ control, name: 'keyUse' });
  const isLong = keyUse !== 'single' || type?.key_format === 'json';
  const format =
    type === undefined || type.key_format === 'token' ? '' : t(`channels.keyFormat.${type.key_format}`);
  const base = t(
    isNew ? 'channels.form.keyHelp' : hasRing ? 'channels.form.keysEditHelp' : 'channels.form.keyEditHelp',
  );
  const shared = {
    control,
    name: 'key',
    label: t(keyUse === 'single' ? 'channels.form.key' : 'channels.form.keys'),
    help: [format, base].filter((text) => text !== '').join(' '),
    placeholder: example,
    rules: { onChange: (event: { target: { value: string } }) => onType(event.target.value) },
    required: isNew,
    autoFocus: isNew,
    mono: true,
  } as const;
  return isLong ? <TextField {...shared} lines={4} /> : <SecretField {...shared} />;
}

interface KeyUseFieldsProps {
  form: UseFormReturn<ChannelValues>;
  isNew: boolean;
  hasRing: boolean;
}

/** Use of the lines of the key field, and removal of the stored key. */
export function KeyUseFields({ form, isNew, hasRing }: KeyUseFieldsProps) {
  const { t } = useTranslation();
  const { control } = form;
  const keyUse = useWatch({ control, name: 'keyUse' });
  const uses = (isNew ? (['single', 'batch', 'ring'] as const) : (['single', 'ring'] as const)).map(
    (value) => ({
      value,
      label: t(`channels.keyUse.${value}`),
    }),
  );
  return (
    <>
      {!hasRing && (
        <SelectField control={control} name="keyUse" label={t('channels.form.keyUse')} options={uses} />
      )}
      {!isNew && (
        <SwitchField
          control={control}
          name="removeKey"
          label={t('channels.form.removeKey')}
          help={t('channels.form.removeKeyHelp')}
        />
      )}
      {keyUse === 'ring' && (
        <SelectField
          control={control}
          name="ringMode"
          label={t('channels.form.ringMode')}
          options={(['polling', 'random'] as const).map((value) => ({
            value,
            label: t(`channels.ringMode.${value}`),
          }))}
        />
      )}
      {keyUse === 'ring' && !isNew && (
        <SelectField
          control={control}
          name="keyMode"
          label={t('channels.form.keyMode')}
          options={(['append', 'replace'] as const).map((value) => ({
            value,
            label: t(`channels.keyMode.${value}`),
          }))}
        />
      )}
    </>
  );
}

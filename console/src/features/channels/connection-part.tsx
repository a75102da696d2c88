import type { TFunction } from 'i18next';
import { useWatch, type UseFormReturn } from 'react-hook-form';
import { useTranslation } from 'react-i18next';
import { FormSection } from '../../shared/form/form-section';
import { SelectField } from '../../shared/form/select-field';
import { SwitchField } from '../../shared/form/switch-field';
import { SecretField, TextField } from '../../shared/form/text-field';
import type { ChannelType } from './api';
import type { ChannelValues } from './channel.schema';
import { findType } from './channel.types';

/** The type whose base address is the complete one. */
const CUSTOM = 8;

interface ConnectionPartProps {
  form: UseFormReturn<ChannelValues>;
  types: readonly ChannelType[];
  isNew: boolean;
  /** The stored channel has several keys. */
  hasRing: boolean;
}

/** Where the channel goes and with what: type, address, keys, and what only this type asks for. */
export function ConnectionPart({ form, types, isNew, hasRing }: ConnectionPartProps) {
  const { t } = useTranslation();
  const { control } = form;
  const typeCode = useWatch({ control, name: 'type' });
  const type = findType(types, Number(typeCode));
  const options = types
    .filter((each) => each.is_offered || String(each.code) === typeCode)
    .map((each) => ({
      value: String(each.code),
      label: each.code === CUSTOM ? t('channels.type.custom') : each.name,
      note: hostOf(each.base_url),
    }))
    .toSorted((left, right) => left.label.localeCompare(right.label));
  if (type === undefined)
    options.push({ value: typeCode, label: t('channels.type.unknown', { type: typeCode }), note: '' });
  return (
    <FormSection title={t('channels.form.basics')}>
      <SelectField control={control} name="type" label={t('channels.form.type')} options={options} />
      <TextField
        control={control}
        name="name"
        label={t('channels.form.name')}
        help={t('channels.form.nameHelp')}
        required
      />
      <TextField
        control={control}
        name="baseUrl"
        label={t('channels.form.baseUrl')}
        help={addressHelp(t, type)}
        required={type?.needs_base_url === true}
        mono
      />
      <KeyFields form={form} type={type} isNew={isNew} hasRing={hasRing} />
      {type !== undefined && type.other !== 'none' && (
        <TextField
          control={control}
          name="other"
          label={t(`channels.other.${type.other}`)}
          help={t(`channels.otherHelp.${type.other}`)}
          placeholder={type.other_example}
          required={type.needs_other}
          {...(type.other === 'region' ? { lines: 1 } : {})}
          mono
        />
      )}
      {type?.switches.map(({ name, choices, path_example: example }) =>
        example !== undefined ? (
          <TextField
            key={name}
            control={control}
            name={`vendor.${name}`}
            label={t(`channels.vendor.${name}`, { defaultValue: name })}
            help={t(`channels.vendorHelp.${name}`, { defaultValue: '' })}
            placeholder={example}
            mono
          />
        ) : choices.length === 0 ? (
          <SwitchField
            key={name}
            control={control}
            name={`vendor.${name}`}
            label={t(`channels.vendor.${name}`, { defaultValue: name })}
            help={t(`channels.vendorHelp.${name}`, { defaultValue: '' })}
          />
        ) : (
          <SelectField
            key={name}
            control={control}
            name={`vendor.${name}`}
            label={t(`channels.vendor.${name}`, { defaultValue: name })}
            options={[
              { value: '', label: t('channels.vendorChoice.auto') },
              ...choices.map((value) => ({
                value,
                label: t(`channels.vendorChoice.${value}`, { defaultValue: value }),
              })),
            ]}
          />
        ),
      )}
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

interface KeyFieldsProps extends Omit<ConnectionPartProps, 'types'> {
  type: ChannelType | undefined;
}

/** One key, a channel per line, or several keys in this one. */
function KeyFields({ form, type, isNew, hasRing }: KeyFieldsProps) {
  const { t } = useTranslation();
  const { control } = form;
  const keyUse = useWatch({ control, name: 'keyUse' });
  const isLong = keyUse !== 'single' || type?.key_format === 'json';
  const format =
    type === undefined || type.key_format === 'token' ? '' : t(`channels.keyFormat.${type.key_format}`);
  const base = t(
    isNew ? 'channels.form.keyHelp' : hasRing ? 'channels.form.keysEditHelp' : 'channels.form.keyEditHelp',
  );
  const help = [format, base].filter((text) => text !== '').join(' ');
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
      {isLong ? (
        <TextField
          control={control}
          name="key"
          label={t(keyUse === 'single' ? 'channels.form.key' : 'channels.form.keys')}
          help={help}
          placeholder={type?.key_example}
          lines={4}
          required={isNew}
          mono
        />
      ) : (
        <SecretField
          control={control}
          name="key"
          label={t('channels.form.key')}
          help={help}
          placeholder={type?.key_example}
          required={isNew}
          mono
        />
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

function addressHelp(t: TFunction, type: ChannelType | undefined): string {
  const example = type?.base_url_example ?? 'http://localhost:8000';
  if (type?.code === CUSTOM) return t('channels.form.baseUrlFull', { example });
  if (type === undefined || type.needs_base_url) return t('channels.form.baseUrlNeeded', { example });
  const own = t('channels.form.baseUrlHelp', { address: type.base_url });
  if (type.named_base_urls.length === 0) return own;
  return `${own} ${t('channels.form.baseUrlNames', { names: type.named_base_urls.join(', ') })}`;
}

const hostOf = (address: string): string => (URL.canParse(address) ? new URL(address).host : '');

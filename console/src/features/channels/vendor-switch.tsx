import type { Control } from 'react-hook-form';
import { useTranslation } from 'react-i18next';
import { SelectField } from '../../shared/form/select-field';
import { SwitchField } from '../../shared/form/switch-field';
import { TextField } from '../../shared/form/text-field';
import type { ChannelType } from './api';
import type { ChannelValues } from './channel.schema';

interface VendorSwitchProps {
  control: Control<ChannelValues>;
  of: ChannelType['switches'][number];
}

/** One setting that only channels of this type have: a path, a switch or a choice. */
export function VendorSwitch({ control, of: { name, choices, path_example: example } }: VendorSwitchProps) {
  const { t } = useTranslation();
  const label = t(`channels.vendor.${name}`, { defaultValue: name });
  const help = t(`channels.vendorHelp.${name}`, { defaultValue: '' });
  const shared = { control, name: `vendor.${name}`, label } as const;
  if (example !== undefined) return <TextField {...shared} help={help} placeholder={example} mono />;
  if (choices.length === 0) return <SwitchField {...shared} help={help} />;
  const options = [
    { value: '', label: t('channels.vendorChoice.auto') },
    ...choices.map((value) => ({
      value,
      label: t(`channels.vendorChoice.${value}`, { defaultValue: value }),
    })),
  ];
  return <SelectField {...shared} options={options} />;
}

/** True for a choice that decides how the key of a type looks, so that it stands beside the key. */
export const isKeyKind = ({ name }: { readonly name: string }): boolean => name.endsWith('_key_type');

import Autocomplete, { createFilterOptions } from '@mui/material/Autocomplete';
import Box from '@mui/material/Box';
import type { FieldValues } from 'react-hook-form';
import { useTranslation } from 'react-i18next';
import { FieldFrame } from '../../shared/form/field-frame';
import { type FieldProps, useField } from '../../shared/form/use-field';
import { byBeginning, type KeyVendor, markOf } from './key-vendors';
import { LetterMark } from './letter-mark';
import { ProviderInput } from './provider-input';

interface VendorFieldProps<T extends FieldValues> extends FieldProps<T> {
  vendors: readonly KeyVendor[];
  /** After a choice by hand. */
  onChoose: (vendor: KeyVendor) => void;
}

const filterOptions = createFilterOptions<KeyVendor>({
  stringify: ({ name, id, address }) => `${name} ${id} ${hostOf(address)}`,
});

/** The provider of a key, with a search; the value of the form is the vendor's id. */
export function VendorField<T extends FieldValues>({ vendors, onChoose, ...props }: VendorFieldProps<T>) {
  const { t } = useTranslation();
  const { id, field, error, aria } = useField(props);
  const value = vendors.find((vendor) => vendor.id === field.value) ?? null;
  return (
    <FieldFrame {...props} id={id} error={error}>
      <Autocomplete
        id={id}
        options={vendors}
        filterOptions={(options, state) =>
          byBeginning(filterOptions(options, state), state.inputValue, ({ name }) => name)
        }
        value={value}
        autoHighlight
        disabled={props.disabled}
        getOptionLabel={(vendor) => vendor.name}
        getOptionKey={(vendor) => vendor.id}
        isOptionEqualToValue={(vendor, chosen) => vendor.id === chosen.id}
        onBlur={field.onBlur}
        onChange={(_event, chosen) => {
          field.onChange(chosen?.id ?? '');
          if (chosen !== null) onChoose(chosen);
        }}
        noOptionsText={t('channels.firstAnswer.noProvider')}
        openText={t('common.open')}
        closeText={t('common.close')}
        clearText={t('channels.firstAnswer.clearProvider')}
        renderOption={({ key: _key, ...option }, vendor) => (
          <Box key={vendor.id} component="li" {...option} sx={{ display: 'flex', gap: 1.25 }}>
            <LetterMark letters={letters(vendor)} name={vendor.name} />
            <Box component="span" sx={{ flex: 1, minWidth: 0 }}>
              {vendor.name}
            </Box>
            <Box component="small" sx={{ color: 'text.secondary', overflowWrap: 'anywhere' }}>
              {hostOf(vendor.address)}
            </Box>
          </Box>
        )}
        renderInput={(params) => (
          <ProviderInput
            params={params}
            inputRef={field.ref}
            hasError={error !== undefined}
            aria={aria}
            mark={value === null ? undefined : { letters: letters(value), name: value.name }}
          />
        )}
      />
    </FieldFrame>
  );
}

export const hostOf = (address: string): string => (URL.canParse(address) ? new URL(address).host : address);

const letters = ({ name, preset }: KeyVendor): string => preset?.mark ?? markOf(name);

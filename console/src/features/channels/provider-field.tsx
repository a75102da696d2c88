import Autocomplete, { createFilterOptions } from '@mui/material/Autocomplete';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import { useWatch, type UseFormReturn } from 'react-hook-form';
import { useTranslation } from 'react-i18next';
import { FieldFrame } from '../../shared/form/field-frame';
import { useField } from '../../shared/form/use-field';
import type { ChannelPreset, ChannelType } from './api';
import { findPreset } from './channel-presets';
import type { ChannelValues } from './channel.schema';
import { findType } from './channel.types';
import type { ChosenProvider } from './use-provider';
import { byBeginning, markOf } from './key-vendors';
import { LetterMark } from './letter-mark';
import { ProviderInput } from './provider-input';

/** Types that most channels have, offered by one press while none is chosen. */
const COMMON = [1, 14, 24, 43, 20, 17, 3, 4];

/** The type whose base address is the complete one. */
const CUSTOM = 8;

interface Provider {
  /** Number of a type, or id of a preset. */
  readonly key: string;
  readonly type: number;
  readonly preset?: ChannelPreset;
  readonly label: string;
  readonly mark: string;
  readonly note: string;
}

interface ProviderFieldProps {
  form: UseFormReturn<ChannelValues>;
  types: readonly ChannelType[];
  presets: readonly ChannelPreset[];
  onChoose: (chosen: ChosenProvider) => void;
}

const filterOptions = createFilterOptions<Provider>({
  stringify: ({ key, label, note }) => `${label} ${key} ${note}`,
});

/** The provider of a channel, searchable: a type, or a preset that is stored as one. */
export function ProviderField({ form, types, presets, onChoose }: ProviderFieldProps) {
  const { t, i18n } = useTranslation();
  const label = t('channels.form.type');
  const [typeCode, vendor, typedAddress] = useWatch({
    control: form.control,
    name: ['type', 'vendor', 'baseUrl'],
  });
  const type = Number(typeCode);
  const isChosen = typeCode !== '';
  const preset = findPreset(presets, type, vendor['preset']);
  const isChinese = i18n.language.startsWith('zh');
  const address = preset?.base_url ?? findType(types, type)?.base_url ?? '';
  const host = hostOf(typedAddress.trim() === '' ? address : typedAddress);
  const help =
    [
      preset === undefined ? '' : helpOf(preset, isChinese),
      host === '' ? '' : t('channels.form.keyGoesTo', { host }),
    ]
      .filter((text) => text !== '')
      .join(' ') || undefined;
  const { id, field, error, aria } = useField({
    control: form.control,
    name: 'type',
    label,
    help,
    required: true,
  });

  const ofTypes = types
    .filter((each) => each.is_offered || each.code === type)
    .map((each): Provider => {
      const name = each.code === CUSTOM ? t('channels.type.custom') : each.name;
      return {
        key: String(each.code),
        type: each.code,
        label: name,
        mark: markOf(name),
        note: hostOf(each.base_url),
      };
    });
  const ofPresets = presets.map((each): Provider => ({
    key: each.id,
    type: each.type,
    preset: each,
    label: each.name,
    mark: each.mark,
    note: isChinese ? each.description.zh : each.description.en,
  }));
  const options = [...ofTypes, ...ofPresets].toSorted(
    (left, right) => left.label.localeCompare(right.label) || left.key.localeCompare(right.key),
  );
  if (isChosen && findType(types, type) === undefined)
    options.push(unknownType(type, t('channels.type.unknown', { type })));
  const value = options.find(({ key }) => key === (preset?.id ?? String(type)));

  function helpOf({ page, read_on: day, description }: ChannelPreset, inChinese: boolean): string {
    const source =
      day === '' ? t('channels.preset.notRead', { page }) : t('channels.preset.read', { page, day });
    return `${inChinese ? description.zh : description.en} ${source}`;
  }

  return (
    <FieldFrame id={id} label={label} error={error} required {...(help === undefined ? {} : { help })}>
      <Autocomplete
        id={id}
        options={options}
        filterOptions={(found, state) =>
          byBeginning(filterOptions(found, state), state.inputValue, (option) => option.label)
        }
        value={value ?? (isChosen ? unknownType(type, '') : null)}
        disableClearable={isChosen}
        autoHighlight
        getOptionLabel={(option) => option.label}
        getOptionKey={(option) => option.key}
        isOptionEqualToValue={(option, chosen) => option.key === chosen.key}
        onBlur={field.onBlur}
        onChange={(_event, chosen) => {
          if (chosen !== null) onChoose(chosen);
        }}
        noOptionsText={t('channels.preset.none')}
        openText={t('common.open')}
        closeText={t('common.close')}
        renderOption={({ key: _key, ...props }, option) => (
          <Box key={option.key} component="li" {...props} sx={{ gap: 1.25 }}>
            <LetterMark letters={option.mark} name={option.label} />
            <Box component="span" sx={{ display: 'grid', minWidth: 0 }}>
              <span>{option.label}</span>
              {option.note !== '' && (
                <Box component="small" sx={{ color: 'text.secondary', overflowWrap: 'anywhere' }}>
                  {option.note}
                </Box>
              )}
            </Box>
          </Box>
        )}
        renderInput={(params) => (
          <ProviderInput
            params={params}
            inputRef={field.ref}
            hasError={error !== undefined}
            aria={aria}
            mark={value === undefined ? undefined : { letters: value.mark, name: value.label }}
          />
        )}
      />
      {!isChosen && (
        <Box
          role="group"
          aria-label={t('channels.form.common')}
          sx={{ display: 'flex', flexWrap: 'wrap', gap: 0.75, mt: 1 }}
        >
          {COMMON.flatMap((code) => options.filter(({ key }) => key === String(code))).map((option) => (
            <Button
              key={option.key}
              size="small"
              color="inherit"
              variant="outlined"
              sx={{ gap: 0.75, px: 0.75 }}
              onClick={() => onChoose(option)}
            >
              <LetterMark letters={option.mark} name={option.label} />
              {option.label}
            </Button>
          ))}
        </Box>
      )}
    </FieldFrame>
  );
}

const unknownType = (type: number, label: string): Provider => ({
  key: String(type),
  type,
  label,
  mark: '?',
  note: '',
});

const hostOf = (address: string): string => (URL.canParse(address) ? new URL(address).host : '');

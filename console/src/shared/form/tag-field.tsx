import Autocomplete, { createFilterOptions } from '@mui/material/Autocomplete';
import Chip from '@mui/material/Chip';
import MuiTextField from '@mui/material/TextField';
import type { ReactNode } from 'react';
import type { FieldValues } from 'react-hook-form';
import { useTranslation } from 'react-i18next';
import { splitList } from '../format/lists';
import { MONO } from '../format/mono';
import { toast } from '../feedback/toast';
import { FieldFrame } from './field-frame';
import { useField, type FieldProps } from './use-field';

interface TagFieldProps<T extends FieldValues> extends FieldProps<T> {
  options: readonly string[];
  /** Values beside the options may be typed; several at once when comma-separated. */
  free?: boolean;
  mono?: boolean;
  loading?: boolean;
  aside?: ReactNode;
  /** Said when a typed value is already there. */
  duplicateText?: string;
  placeholder?: string;
}

const filterOptions = createFilterOptions<string>({ limit: 100 });

/** A list of names: models, groups, addresses. */
export function TagField<T extends FieldValues>(props: TagFieldProps<T>) {
  const { t } = useTranslation();
  const { id, field, error, aria } = useField(props);
  const value = Array.isArray(field.value) ? (field.value as string[]) : [];
  const warnOfRepeats = (typed: readonly string[]) => {
    if (typed.some((each) => value.includes(each)))
      toast('warning', props.duplicateText ?? t('common.form.alreadyListed'));
  };
  return (
    <FieldFrame {...props} id={id} error={error}>
      <Autocomplete
        id={id}
        multiple
        disableCloseOnSelect
        filterSelectedOptions
        freeSolo={props.free === true}
        disabled={props.disabled}
        loading={props.loading}
        limitTags={24}
        options={props.options}
        filterOptions={filterOptions}
        value={value}
        onBlur={field.onBlur}
        onKeyDown={(event) => {
          // A single name that is there is no change to the list below.
          if (event.key === 'Enter' && event.target instanceof HTMLInputElement)
            warnOfRepeats([event.target.value.trim()]);
        }}
        onChange={(_event, next, reason, detail) => {
          if (reason === 'createOption') warnOfRepeats(splitList(detail?.option ?? ''));
          field.onChange(splitList(next.join(',')));
        }}
        noOptionsText={t('common.form.noOptions')}
        loadingText={t('common.loading')}
        clearText={t('common.clear')}
        openText={t('common.open')}
        closeText={t('common.close')}
        renderValue={(tags, getItemProps) =>
          tags.map((tag, index) => {
            const { key, ...item } = getItemProps({ index });
            return (
              <Chip
                key={key}
                {...item}
                label={tag}
                size="small"
                sx={{ fontFamily: props.mono === true ? MONO : undefined, bgcolor: 'soft.neutral' }}
              />
            );
          })
        }
        renderInput={(params) => (
          <MuiTextField
            {...params}
            inputRef={field.ref}
            error={error !== undefined}
            placeholder={value.length === 0 ? props.placeholder : undefined}
            slotProps={{ ...params.slotProps, htmlInput: { ...params.slotProps.htmlInput, ...aria } }}
            size="small"
          />
        )}
      />
    </FieldFrame>
  );
}

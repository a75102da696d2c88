import type { AutocompleteRenderInputParams } from '@mui/material/Autocomplete';
import MuiTextField from '@mui/material/TextField';
import type { InputHTMLAttributes, Ref } from 'react';
import { useTranslation } from 'react-i18next';
import { LetterMark } from './letter-mark';

interface ProviderInputProps {
  params: AutocompleteRenderInputParams;
  inputRef: Ref<HTMLInputElement>;
  hasError: boolean;
  aria: InputHTMLAttributes<HTMLInputElement>;
  /** Mark of the chosen provider; undefined = none is chosen. */
  mark: { readonly letters: string; readonly name: string } | undefined;
}

/** The input of a choice among providers, with the mark of the chosen one. */
export function ProviderInput({ params, inputRef, hasError, aria, mark }: ProviderInputProps) {
  const { t } = useTranslation();
  return (
    <MuiTextField
      {...params}
      inputRef={inputRef}
      error={hasError}
      size="small"
      placeholder={t('channels.firstAnswer.providerPlaceholder')}
      slotProps={{
        ...params.slotProps,
        input: {
          ...params.slotProps.input,
          startAdornment:
            mark === undefined ? undefined : <LetterMark letters={mark.letters} name={mark.name} />,
        },
        htmlInput: { ...params.slotProps.htmlInput, ...aria },
      }}
    />
  );
}

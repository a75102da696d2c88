import Box from '@mui/material/Box';
import Typography from '@mui/material/Typography';
import { useDeferredValue } from 'react';
import { useWatch, type FieldValues } from 'react-hook-form';
import { useTranslation } from 'react-i18next';
import { TextField } from '../../shared/form/text-field';
import type { FieldProps } from '../../shared/form/use-field';
import { RichText } from '../../shared/page/rich-text';

/** A text in Markdown or HTML, as it will be shown, and what of it will not be. */
export function MarkupField<T extends FieldValues>(props: FieldProps<T>) {
  const { t } = useTranslation();
  const value: unknown = useWatch({ control: props.control, name: props.name });
  const text = useDeferredValue(typeof value === 'string' ? value.trim() : '');
  const isAddress = /^https:\/\/\S+$/.test(text);
  return (
    <Box>
      <TextField {...props} lines={4} mono />
      {text !== '' && !isAddress && (
        <Box
          role="group"
          aria-label={t('settings.preview', { name: props.label })}
          sx={{ mt: 1, p: 1.5, border: 1, borderColor: 'divider', borderRadius: '8px' }}
        >
          <Typography variant="caption" color="textSecondary" component="p" sx={{ mb: 0.5 }}>
            {t('settings.preview', { name: props.label })}
          </Typography>
          <RichText text={text} showRemoved />
        </Box>
      )}
    </Box>
  );
}

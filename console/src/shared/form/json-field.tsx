import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import { lazy, Suspense } from 'react';
import type { FieldValues } from 'react-hook-form';
import { useTranslation } from 'react-i18next';
import { formatJson } from '../format/json';
import { MONO } from '../format/mono';
import { FieldFrame } from './field-frame';
import { useField, type FieldProps } from './use-field';

const CodeEditor = lazy(() =>
  import('../code/code-editor').then((module) => ({ default: module.CodeEditor })),
);

interface JsonFieldProps<T extends FieldValues> extends FieldProps<T> {
  /** A value that shows the form; "Fill in the example" writes it. */
  example?: unknown;
  minHeight?: number;
}

/** JSON text with colours, a format button and an example; the schema checks that it parses. */
export function JsonField<T extends FieldValues>(props: JsonFieldProps<T>) {
  const { t } = useTranslation();
  const { id, field, error, aria } = useField(props);
  const text = typeof field.value === 'string' ? field.value : '';
  const formatted = formatJson(text);
  const aside = (
    <Box sx={{ display: 'flex', gap: 0.5, flexShrink: 0 }}>
      {props.example !== undefined && text.trim() === '' && (
        <Button size="small" onClick={() => field.onChange(JSON.stringify(props.example, null, 2))}>
          {t('common.json.example')}
        </Button>
      )}
      <Button
        size="small"
        disabled={formatted === undefined || formatted === text}
        onClick={() => field.onChange(formatted)}
      >
        {t('common.json.format')}
      </Button>
    </Box>
  );
  return (
    <FieldFrame {...props} id={id} error={error} aside={aside}>
      <Suspense
        fallback={
          <Box
            component="pre"
            sx={{ fontFamily: MONO, fontSize: 13, m: 0, p: 1, minHeight: props.minHeight ?? 96 }}
          >
            {text}
          </Box>
        }
      >
        <CodeEditor
          id={id}
          label={props.label}
          value={text}
          onChange={field.onChange}
          onBlur={field.onBlur}
          invalid={error !== undefined}
          describedBy={aria['aria-describedby']}
          minHeight={props.minHeight ?? 96}
          readOnly={props.disabled}
        />
      </Suspense>
    </FieldFrame>
  );
}

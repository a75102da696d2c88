import Box from '@mui/material/Box';
import type { FormEvent, ReactNode } from 'react';
import { useSubmitOnce } from './use-submit-once';

interface PlainFormProps {
  onSubmit: (event?: FormEvent<HTMLElement>) => Promise<void>;
  /** Between its fields, in steps of the theme. */
  gap?: number;
  /** In pixels; absent = as wide as its place. */
  maxWidth?: number;
  children: ReactNode;
}

/** A form on a page: fields below each other, checked by its schema and not by the browser. */
export function PlainForm({ onSubmit, gap = 2, maxWidth, children }: PlainFormProps) {
  const submit = useSubmitOnce(onSubmit);
  return (
    <Box
      component="form"
      noValidate
      onSubmit={(event) => void submit(event)}
      sx={{ display: 'grid', gap, maxWidth }}
    >
      {children}
    </Box>
  );
}

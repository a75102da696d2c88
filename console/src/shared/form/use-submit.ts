import type { BaseSyntheticEvent } from 'react';
import type { FieldValues, UseFormReturn } from 'react-hook-form';
import { useErrorText } from '../feedback/use-error-text';

/** Sends a form whose fields are right; an error thrown meanwhile is shown in it (`errors.root`). */
export function useSubmit<T extends FieldValues, Out>(
  form: UseFormReturn<T, unknown, Out>,
  send: (values: Out) => Promise<unknown>,
): (event?: BaseSyntheticEvent) => Promise<void> {
  const errorText = useErrorText();
  return form.handleSubmit(async (values) => {
    try {
      await send(values);
    } catch (error) {
      form.setError('root', { message: errorText(error) });
    }
  });
}

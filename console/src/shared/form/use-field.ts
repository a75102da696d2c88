import { useId, type ReactNode } from 'react';
import {
  useController,
  type Control,
  type FieldPath,
  type FieldValues,
  type UseControllerProps,
} from 'react-hook-form';
import { describedBy } from './field-frame';

/** Props of every field of a form. */
export interface FieldProps<T extends FieldValues> {
  control: Control<T>;
  name: FieldPath<T>;
  label: string;
  help?: ReactNode;
  required?: boolean;
  disabled?: boolean;
  /** Rules of a form without a schema. */
  rules?: UseControllerProps<T>['rules'];
}

/** Binds a control to the form: its value, its error, and the ids that tie label, help and error to it. */
export function useField<T extends FieldValues>({ control, name, help, rules }: FieldProps<T>) {
  const id = useId();
  const { field, fieldState } = useController({ control, name, rules });
  const error = fieldState.error?.message;
  return {
    id,
    field,
    error,
    aria: {
      'aria-invalid': error !== undefined,
      'aria-describedby': describedBy(id, { help: help !== undefined, error: error !== undefined }),
    },
  };
}

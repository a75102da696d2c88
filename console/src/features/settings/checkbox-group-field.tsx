import Box from '@mui/material/Box';
import Checkbox from '@mui/material/Checkbox';
import FormControlLabel from '@mui/material/FormControlLabel';
import type { FieldValues } from 'react-hook-form';
import { FieldFrame } from '../../shared/form/field-frame';
import { useField, type FieldProps } from '../../shared/form/use-field';
import type { ChoiceTexts } from './option-field-types';
import { choiceText } from './option-text';

interface TicksFieldProps<T extends FieldValues> extends FieldProps<T> {
  /** In the words and the order of the server. */
  choices: readonly string[];
  texts: ChoiceTexts;
  /** The value holds what has no tick. What this console does not know stays in it either way. */
  isInverted?: boolean;
}

/** A tick for each of the words a list can hold. */
export function CheckboxGroupField<T extends FieldValues>({
  choices,
  texts,
  isInverted = false,
  ...props
}: TicksFieldProps<T>) {
  const { id, field, error } = useField(props);
  const listed: readonly string[] = Array.isArray(field.value) ? (field.value as string[]) : [];
  const toggle = (choice: string) =>
    field.onChange(listed.includes(choice) ? listed.filter((each) => each !== choice) : [...listed, choice]);
  return (
    <FieldFrame {...props} id={id} error={error}>
      <Box
        id={id}
        role="group"
        aria-labelledby={`${id}-label`}
        sx={{ display: 'grid', gridTemplateColumns: { xs: '1fr', sm: '1fr 1fr' } }}
      >
        {choices.map((choice, index) => (
          <FormControlLabel
            key={choice}
            label={choiceText(texts, choice)}
            disabled={props.disabled}
            slotProps={{ typography: { variant: 'body2' } }}
            control={
              <Checkbox
                size="small"
                checked={listed.includes(choice) !== isInverted}
                onChange={() => toggle(choice)}
                onBlur={field.onBlur}
                slotProps={{ input: { ref: index === 0 ? field.ref : undefined } }}
              />
            }
          />
        ))}
      </Box>
    </FieldFrame>
  );
}

import Box from '@mui/material/Box';
import FormHelperText from '@mui/material/FormHelperText';
import Switch from '@mui/material/Switch';
import Typography from '@mui/material/Typography';
import type { FieldValues } from 'react-hook-form';
import { useField, type FieldProps } from './use-field';

export function SwitchField<T extends FieldValues>(props: FieldProps<T>) {
  const { id, field, error, aria } = useField(props);
  return (
    <Box sx={{ display: 'flex', gap: 2, alignItems: 'flex-start', justifyContent: 'space-between' }}>
      <Box>
        <Typography component="label" htmlFor={id} variant="subtitle2">
          {props.label}
        </Typography>
        {props.help !== undefined && (
          <Typography id={`${id}-help`} variant="body2" color="textSecondary">
            {props.help}
          </Typography>
        )}
        {error !== undefined && (
          <FormHelperText id={`${id}-error`} error>
            {error}
          </FormHelperText>
        )}
      </Box>
      <Switch
        id={id}
        name={field.name}
        checked={field.value === true}
        disabled={props.disabled}
        onBlur={field.onBlur}
        onChange={(_event, checked) => field.onChange(checked)}
        slotProps={{ input: { ref: field.ref, role: 'switch', ...aria } }}
      />
    </Box>
  );
}

import Box from '@mui/material/Box';
import Checkbox from '@mui/material/Checkbox';
import FormControlLabel from '@mui/material/FormControlLabel';
import type { FieldValues } from 'react-hook-form';
import { useTranslation } from 'react-i18next';
import { FieldFrame } from '../../shared/form/field-frame';
import { useField, type FieldProps } from '../../shared/form/use-field';

/** In the order of the server. */
export const ADMINISTRATOR_SECTIONS = [
  'content',
  'display',
  'channels',
  'calls',
  'limits',
  'models',
  'prices',
  'quota',
  'log',
  'alerts',
] as const;

/** What administrators may change: a tick per section. */
export function AdministratorSectionsField<T extends FieldValues>(props: FieldProps<T>) {
  const { t } = useTranslation();
  const { id, field, error } = useField(props);
  const ticked: readonly string[] = Array.isArray(field.value) ? (field.value as string[]) : [];
  const toggle = (section: string) =>
    field.onChange(
      ticked.includes(section) ? ticked.filter((each) => each !== section) : [...ticked, section],
    );
  return (
    <FieldFrame {...props} id={id} error={error}>
      <Box
        id={id}
        role="group"
        aria-labelledby={`${id}-label`}
        sx={{ display: 'grid', gridTemplateColumns: { xs: '1fr', sm: '1fr 1fr' } }}
      >
        {ADMINISTRATOR_SECTIONS.map((section, index) => (
          <FormControlLabel
            key={section}
            label={t(`settings.administratorSection.${section}`)}
            disabled={props.disabled}
            slotProps={{ typography: { variant: 'body2' } }}
            control={
              <Checkbox
                size="small"
                checked={ticked.includes(section)}
                onChange={() => toggle(section)}
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

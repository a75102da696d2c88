import Box from '@mui/material/Box';
import FormControlLabel from '@mui/material/FormControlLabel';
import Switch from '@mui/material/Switch';
import Typography from '@mui/material/Typography';
import type { FieldValues } from 'react-hook-form';
import { useTranslation } from 'react-i18next';
import { FieldFrame } from '../../shared/form/field-frame';
import { JsonField } from '../../shared/form/json-field';
import { useField, type FieldProps } from '../../shared/form/use-field';
import { MODULE_SWITCHES, type ModulesId, readModules, type Switch as Wanted } from './module-switches';

interface ModulesFieldProps<T extends FieldValues> extends FieldProps<T> {
  modules: ModulesId;
}

/** Parts of the console, each with a switch. */
export function ModulesField<T extends FieldValues>({ modules, ...props }: ModulesFieldProps<T>) {
  const { t } = useTranslation();
  const { id, field, error } = useField(props);
  const document = readModules(typeof field.value === 'string' ? field.value : '');
  // A value of another form is shown as it is, and nothing of it is lost.
  if (document === undefined) return <JsonField {...props} />;
  return (
    <FieldFrame {...props} id={id} error={error}>
      <Box
        id={id}
        role="group"
        aria-labelledby={`${id}-label`}
        sx={{ display: 'grid', gap: 1, gridTemplateColumns: { xs: '1fr', sm: 'repeat(2, minmax(0, 1fr))' } }}
      >
        {MODULE_SWITCHES[modules].map((group) => (
          <Box
            key={group.id}
            role={group.label === undefined ? undefined : 'group'}
            aria-label={group.label === undefined ? undefined : t(group.label)}
            sx={{ minWidth: 0 }}
          >
            {group.label !== undefined && (
              <Typography variant="overline" color="textSecondary" component="p">
                {t(group.label)}
              </Typography>
            )}
            {group.switches.map((wanted) => (
              <FormControlLabel
                key={wanted.path.join('.')}
                label={t(wanted.label)}
                disabled={props.disabled === true || isIdle(wanted, document)}
                slotProps={{ typography: { variant: 'body2' } }}
                sx={{
                  display: 'flex',
                  ml: 0,
                  gap: 1,
                  justifyContent: 'space-between',
                  flexDirection: 'row-reverse',
                }}
                control={
                  <Switch
                    size="small"
                    checked={isOn(wanted, document)}
                    onChange={(_event, checked) =>
                      field.onChange(JSON.stringify(withSwitch(document, wanted.path, checked), null, 2))
                    }
                    onBlur={field.onBlur}
                    slotProps={{ input: { role: 'switch' } }}
                  />
                }
              />
            ))}
          </Box>
        ))}
      </Box>
    </FieldFrame>
  );
}

type Document = Readonly<Record<string, unknown>>;

function isOn({ path, isOnAtFirst = true }: Wanted, document: Document): boolean {
  const value = valueAt(document, path);
  return typeof value === 'boolean' ? value : isOnAtFirst;
}

/** Switches of a part; hidden while the part is off as a whole. */
const isIdle = ({ needs }: Wanted, document: Document): boolean =>
  needs !== undefined && valueAt(document, needs) === false;

function valueAt(document: Document, path: readonly string[]): unknown {
  return path.reduce<unknown>(
    (value, name) => (typeof value === 'object' && value !== null ? (value as Document)[name] : undefined),
    document,
  );
}

function withSwitch(document: Document, [name = '', ...rest]: readonly string[], value: boolean): Document {
  if (rest.length === 0) return { ...document, [name]: value };
  const inner = document[name];
  const holder = typeof inner === 'object' && inner !== null ? (inner as Document) : {};
  return { ...document, [name]: withSwitch(holder, rest, value) };
}

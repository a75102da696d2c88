import MenuItem from '@mui/material/MenuItem';
import TextField from '@mui/material/TextField';
import { useTranslation } from 'react-i18next';
import { type ModelParameters, REASONING_EFFORTS, takesEffort, takesSampling } from '../chat/chat-settings';
import { Folded } from './folded';

interface MoreParametersProps {
  model: string;
  parameters: ModelParameters;
  onChange: (patch: Partial<ModelParameters>) => void;
}

const NUMBERS = [
  { name: 'topP', least: 0, most: 1, step: 0.05, isSampling: true },
  { name: 'frequencyPenalty', least: -2, most: 2, step: 0.1, isSampling: true },
  { name: 'presencePenalty', least: -2, most: 2, step: 0.1, isSampling: true },
  { name: 'seed', least: 0, most: Number.MAX_SAFE_INTEGER, step: 1, isSampling: false },
] as const;

/** Parameters that are sent only when they are set, as far as the model takes them. */
export function MoreParameters({ model, parameters, onChange }: MoreParametersProps) {
  const { t } = useTranslation();
  const isSampled = takesSampling(model);
  return (
    <Folded title={t('playground.moreParameters')}>
      {takesEffort(model) && (
        <TextField
          select
          size="small"
          fullWidth
          label={t('playground.reasoningEffort')}
          value={parameters.reasoningEffort ?? ''}
          onChange={(event) =>
            onChange({ reasoningEffort: REASONING_EFFORTS.find((effort) => effort === event.target.value) })
          }
          slotProps={{ inputLabel: { shrink: true }, select: { displayEmpty: true } }}
        >
          <MenuItem value="">{t('playground.notSent')}</MenuItem>
          {REASONING_EFFORTS.map((effort) => (
            <MenuItem key={effort} value={effort}>
              {t(`playground.effort.${effort}`)}
            </MenuItem>
          ))}
        </TextField>
      )}
      {NUMBERS.filter(({ isSampling }) => isSampled || !isSampling).map(({ name, least, most, step }) => (
        <TextField
          key={name}
          size="small"
          fullWidth
          type="number"
          label={t(`playground.parameter.${name}`)}
          placeholder={t('playground.notSent')}
          value={parameters[name] ?? ''}
          slotProps={{
            htmlInput: { min: least, max: most, step, inputMode: 'decimal' },
            inputLabel: { shrink: true },
          }}
          onChange={({ target: { value } }) => {
            const figure = Number(value);
            onChange({
              [name]:
                value === '' || Number.isNaN(figure) ? undefined : Math.min(most, Math.max(least, figure)),
            });
          }}
        />
      ))}
      <TextField
        size="small"
        fullWidth
        multiline
        maxRows={4}
        label={t('playground.parameter.stop')}
        helperText={t('playground.stopHelp')}
        value={parameters.stop ?? ''}
        onChange={(event) => onChange({ stop: event.target.value })}
      />
    </Folded>
  );
}

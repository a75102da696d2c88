import Box from '@mui/material/Box';
import OutlinedInput from '@mui/material/OutlinedInput';
import Typography from '@mui/material/Typography';
import { useTranslation } from 'react-i18next';
import { priceFault, type TypedPrice } from './start-prices';

interface PriceInputsProps {
  model: string;
  value: TypedPrice;
  autoFocus: boolean;
  isDisabled: boolean;
  onChange: (value: TypedPrice) => void;
}

/** Price of one model in dollars per million tokens of input and output. */
export function PriceInputs({ model, value, autoFocus, isDisabled, onChange }: PriceInputsProps) {
  const { t } = useTranslation();
  const fault = priceFault(value);
  return (
    <Box sx={{ display: 'flex', flexWrap: 'wrap', gap: 1, alignItems: 'center' }}>
      {(['input', 'output'] as const).map((part) => (
        <OutlinedInput
          key={part}
          size="small"
          value={value[part]}
          autoFocus={autoFocus && part === 'input'}
          disabled={isDisabled}
          error={fault !== undefined}
          onChange={(event) => onChange({ ...value, [part]: event.target.value })}
          placeholder={t(`channels.firstAnswer.${part}`)}
          startAdornment={<span style={{ marginRight: 4 }}>$</span>}
          autoComplete="off"
          inputProps={{
            'aria-label': t(`channels.firstAnswer.${part}Of`, { model }),
            'aria-invalid': fault !== undefined,
            inputMode: 'decimal',
          }}
          sx={{ width: 104, height: 32, fontSize: 13 }}
        />
      ))}
      {fault !== undefined && (
        <Typography variant="caption" color="error">
          {t(`channels.firstAnswer.fault.${fault}`)}
        </Typography>
      )}
    </Box>
  );
}

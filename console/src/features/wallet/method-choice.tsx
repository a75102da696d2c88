import Box from '@mui/material/Box';
import FormControlLabel from '@mui/material/FormControlLabel';
import Radio from '@mui/material/Radio';
import RadioGroup from '@mui/material/RadioGroup';
import Typography from '@mui/material/Typography';
import { useId } from 'react';
import { useTranslation } from 'react-i18next';
import { useMethodName } from '../../shared/money/use-method-name';
import type { PayMethod } from './api';

interface MethodChoiceProps {
  methods: readonly PayMethod[];
  value: string;
  onChange: (type: string) => void;
}

/** Ways to pay, side by side; one is chosen. */
export function MethodChoice({ methods, value, onChange }: MethodChoiceProps) {
  const { t } = useTranslation();
  const id = useId();
  const methodName = useMethodName();
  return (
    <Box>
      <Typography id={id} variant="subtitle2">
        {t('wallet.topUp.method')}
      </Typography>
      <RadioGroup
        aria-labelledby={id}
        value={value}
        onChange={(_event, next) => onChange(next)}
        sx={{
          mt: 0.5,
          display: 'grid',
          gap: 1,
          gridTemplateColumns: 'repeat(auto-fill, minmax(150px, 1fr))',
        }}
      >
        {methods.map((method) => (
          <FormControlLabel
            key={method.type}
            value={method.type}
            control={<Radio />}
            label={methodName(method.type, method.name)}
            sx={{
              m: 0,
              pr: 1.5,
              border: 1,
              borderRadius: '8px',
              borderColor: method.type === value ? 'primary.main' : 'divider',
              bgcolor: method.type === value ? 'soft.accent' : undefined,
            }}
          />
        ))}
      </RadioGroup>
    </Box>
  );
}

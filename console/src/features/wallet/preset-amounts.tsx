import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import { useTranslation } from 'react-i18next';
import { abbreviate } from '../../shared/format/quota';

interface PresetAmountsProps {
  presets: readonly number[];
  /** The typed amount. */
  amount: number;
  isDollars: boolean;
  percentOff: (preset: number) => number;
  onChoose: (preset: number) => void;
}

/** Amounts the operator suggests, with what they save. */
export function PresetAmounts({ presets, amount, isDollars, percentOff, onChoose }: PresetAmountsProps) {
  const { t } = useTranslation();
  return (
    <Box sx={{ display: 'flex', flexWrap: 'wrap', gap: 0.75, mt: -1 }}>
      {presets.map((preset) => {
        const percent = percentOff(preset);
        return (
          <Button
            key={preset}
            size="small"
            variant="outlined"
            color={preset === amount ? 'primary' : 'inherit'}
            aria-pressed={preset === amount}
            onClick={() => onChoose(preset)}
          >
            {isDollars ? `$${preset.toLocaleString('en-US')}` : abbreviate(preset)}
            {percent > 0 && (
              <Box component="span" sx={{ ml: 0.75, color: 'success.main', fontSize: 12 }}>
                {t('wallet.topUp.percentOff', { percent })}
              </Box>
            )}
          </Button>
        );
      })}
    </Box>
  );
}

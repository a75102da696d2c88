import Alert from '@mui/material/Alert';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Typography from '@mui/material/Typography';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { MONO } from '../../shared/format/mono';
import { PriceInputs } from './price-inputs';
import { listPrice, NO_PRICE } from './start-prices';
import type { FormPrices } from './use-form-prices';

/** Names written out before the rest is counted. */
const NAMED = 5;
/** Rows drawn at once. */
const MAX_ROWS = 60;

/** Names the models without a price, and takes their prices on the spot. */
export function UnpricedModels({ prices }: { prices: FormPrices }) {
  const { t } = useTranslation();
  const { unpriced, maySet, typed, onType } = prices;
  const [isOpen, setOpen] = useState(false);
  if (unpriced.length === 0) return null;
  const names = unpriced.map(({ model }) => model);
  const listed = unpriced.flatMap((price) => {
    const list = listPrice(price);
    return list === undefined ? [] : [[price.model, list] as const];
  });
  const rest = names.length - NAMED;
  const text = [
    t('channels.saveTest.unpriced', { count: names.length, names: names.slice(0, NAMED).join(', ') }),
    ...(rest > 0 ? [t('channels.saveTest.unpricedMore', { count: rest })] : []),
    ...(maySet ? [] : [t('channels.saveTest.unpricedAsk')]),
  ].join(' ');
  return (
    <Box sx={{ display: 'grid', gap: 1 }}>
      <Alert severity="warning" role="status" sx={{ '& .MuiAlert-message': { overflowWrap: 'anywhere' } }}>
        {text}
        {maySet && (
          <Box sx={{ display: 'flex', flexWrap: 'wrap', gap: 0.5, mt: 0.5, ml: -0.75 }}>
            {!isOpen && (
              <Button color="inherit" size="small" onClick={() => setOpen(true)}>
                {t('channels.saveTest.priceHere')}
              </Button>
            )}
            {listed.length > 0 && (
              <Button
                color="inherit"
                size="small"
                onClick={() => {
                  setOpen(true);
                  onType(new Map([...typed, ...listed]));
                }}
              >
                {t('channels.firstAnswer.useListPrices', { count: listed.length })}
              </Button>
            )}
          </Box>
        )}
      </Alert>
      {isOpen && (
        <Box
          component="ul"
          aria-label={t('channels.saveTest.prices')}
          sx={{ listStyle: 'none', m: 0, p: 0, maxHeight: 320, overflowY: 'auto' }}
        >
          {unpriced.slice(0, MAX_ROWS).map(({ model }, row) => (
            <Box
              component="li"
              key={model}
              sx={{ display: 'flex', flexWrap: 'wrap', alignItems: 'center', gap: 1, py: 0.5 }}
            >
              <Typography
                component="span"
                sx={{ fontFamily: MONO, fontSize: 13, flex: '1 1 140px', overflowWrap: 'anywhere' }}
              >
                {model}
              </Typography>
              <PriceInputs
                model={model}
                value={typed.get(model) ?? NO_PRICE}
                autoFocus={row === 0}
                isDisabled={false}
                onChange={(next) => onType(new Map([...typed, [model, next]]))}
              />
            </Box>
          ))}
        </Box>
      )}
      {isOpen && (
        <Typography variant="caption" color="textSecondary">
          {t('channels.saveTest.pricesHelp')}
        </Typography>
      )}
    </Box>
  );
}

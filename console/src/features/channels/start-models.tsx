import Alert from '@mui/material/Alert';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Checkbox from '@mui/material/Checkbox';
import Typography from '@mui/material/Typography';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { MONO } from '../../shared/format/mono';
import { SearchBox } from '../../shared/table/search-box';
import { PriceInputs } from './price-inputs';
import { listPrice, type ModelPrice, NO_PRICE, type TypedPrice } from './start-prices';

/** Rows drawn at once; the search finds the others. */
const MAX_ROWS = 60;
/** Lists that are short enough to be read without a search. */
const FEW = 8;

interface StartModelsProps {
  prices: readonly ModelPrice[];
  /** True when models without a price are served as well. */
  isSelfUse: boolean;
  /** True when the person may set prices. */
  maySet: boolean;
  typed: ReadonlyMap<string, TypedPrice>;
  onType: (models: ReadonlyMap<string, TypedPrice>) => void;
  left: ReadonlySet<string>;
  onLeave: (left: ReadonlySet<string>) => void;
  isDisabled: boolean;
}

/** Models of a provider with what they cost; those without a price get one here. */
export function StartModels(props: StartModelsProps) {
  const { prices, isSelfUse, maySet, typed, onType, left, onLeave, isDisabled } = props;
  const { t } = useTranslation();
  const [wanted, setWanted] = useState('');
  // Models without a price come first: they ask for something.
  const sorted = prices.toSorted(
    (one, other) => Number(one.is_priced) - Number(other.is_priced) || one.model.localeCompare(other.model),
  );
  const found = sorted.filter(({ model }) => model.toLowerCase().includes(wanted.toLowerCase()));
  const unpriced = isSelfUse ? [] : prices.filter(({ is_priced: isPriced }) => !isPriced);
  const listed = unpriced.flatMap((price) => {
    const list = listPrice(price);
    return list === undefined ? [] : [[price.model, list] as const];
  });
  const firstOpen = maySet ? found.find((price) => unpriced.includes(price))?.model : undefined;
  return (
    <Box sx={{ display: 'grid', gap: 1.25 }}>
      {unpriced.length > 0 && (
        <Alert
          severity="info"
          action={
            maySet && listed.length > 0 ? (
              <Button
                color="inherit"
                size="small"
                disabled={isDisabled}
                onClick={() => onType(new Map([...typed, ...listed]))}
              >
                {t('channels.firstAnswer.useListPrices', { count: listed.length })}
              </Button>
            ) : undefined
          }
        >
          {t(maySet ? 'firstAnswer.unpriced' : 'firstAnswer.unpricedAsk', {
            count: unpriced.length,
          })}
        </Alert>
      )}
      {prices.length > FEW && (
        <Box
          sx={{ maxWidth: 320 }}
          onKeyDown={(event) => {
            // Enter searches; it does not submit the form around it.
            if (event.key === 'Enter') event.preventDefault();
          }}
        >
          <SearchBox value={wanted} label={t('firstAnswer.searchModel')} onChange={setWanted} />
        </Box>
      )}
      <Box
        component="ul"
        aria-label={t('firstAnswer.models')}
        sx={{ listStyle: 'none', m: 0, p: 0, maxHeight: 380, overflowY: 'auto' }}
      >
        {found.slice(0, MAX_ROWS).map((price) => {
          const asks = unpriced.includes(price);
          return (
            <Box
              component="li"
              key={price.model}
              sx={{
                display: 'flex',
                flexWrap: 'wrap',
                alignItems: 'center',
                gap: 1,
                py: 0.5,
                borderTop: 1,
                borderColor: 'divider',
              }}
            >
              <Checkbox
                size="small"
                disabled={isDisabled}
                checked={!left.has(price.model)}
                onChange={(_event, isChecked) => {
                  const next = new Set(left);
                  if (isChecked) next.delete(price.model);
                  else next.add(price.model);
                  onLeave(next);
                }}
                slotProps={{
                  input: { 'aria-label': t('firstAnswer.offer', { model: price.model }) },
                }}
              />
              <Typography
                component="span"
                sx={{
                  fontFamily: MONO,
                  fontSize: 13,
                  flex: '1 1 160px',
                  minWidth: 0,
                  overflowWrap: 'anywhere',
                }}
              >
                {price.model}
              </Typography>
              {asks && maySet ? (
                <PriceInputs
                  model={price.model}
                  value={typed.get(price.model) ?? NO_PRICE}
                  autoFocus={price.model === firstOpen}
                  isDisabled={isDisabled}
                  onChange={(next) => onType(new Map([...typed, [price.model, next]]))}
                />
              ) : (
                <Typography component="span" variant="body2" color="textSecondary">
                  {price.is_priced ? <PriceText price={price} /> : t('firstAnswer.noPrice')}
                </Typography>
              )}
            </Box>
          );
        })}
      </Box>
      {found.length > MAX_ROWS && (
        <Typography variant="caption" color="textSecondary">
          {t('firstAnswer.more', { count: found.length - MAX_ROWS })}
        </Typography>
      )}
    </Box>
  );
}

/** Dollars as they are written in price lists: up to four decimals, two at least. */
const dollars = (amount: number): string =>
  `$${amount.toLocaleString('en-US', { minimumFractionDigits: 2, maximumFractionDigits: 4 })}`;

function PriceText({ price }: { price: ModelPrice }) {
  const { t } = useTranslation();
  if (price.per_call !== null) return t('firstAnswer.perCall', { price: dollars(price.per_call) });
  return t('firstAnswer.perMillion', {
    input: dollars(price.input ?? 0),
    output: dollars(price.output ?? 0),
  });
}

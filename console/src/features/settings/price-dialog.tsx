import { zodResolver } from '@hookform/resolvers/zod';
import Accordion from '@mui/material/Accordion';
import AccordionDetails from '@mui/material/AccordionDetails';
import AccordionSummary from '@mui/material/AccordionSummary';
import ExpandMoreRounded from '@mui/icons-material/ExpandMoreRounded';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Dialog from '@mui/material/Dialog';
import DialogActions from '@mui/material/DialogActions';
import DialogContent from '@mui/material/DialogContent';
import DialogTitle from '@mui/material/DialogTitle';
import ToggleButton from '@mui/material/ToggleButton';
import ToggleButtonGroup from '@mui/material/ToggleButtonGroup';
import Typography from '@mui/material/Typography';
import useMediaQuery from '@mui/material/useMediaQuery';
import { useMemo } from 'react';
import { useForm, useWatch, type Control } from 'react-hook-form';
import { useTranslation } from 'react-i18next';
import { useShowsRatios } from '../../shared/money/ratios';
import { NumberField } from '../../shared/form/number-field';
import { TextField } from '../../shared/form/text-field';
import { FACTOR_KEYS } from './price-documents';
import {
  convertEntry,
  ENTRY_MODES,
  priceOfValues,
  priceSchema,
  valuesOfPrice,
  type EntryMode,
  type PriceValues,
} from './price.schema';
import { completionOfDollars, ratioOfDollars, type ModelPrice } from './prices';

/** Target of the edit: one model, or many that all get the same price. */
export type EditedPrice =
  { readonly price: ModelPrice; readonly isNew: boolean } | { readonly models: readonly string[] };

interface PriceDialogProps {
  /** Undefined = closed. */
  edited: EditedPrice | undefined;
  /** Names that have a price. */
  taken: ReadonlySet<string>;
  /** Models that get the price; of many at once, factors that were not typed stay as each has them. */
  onApply: (models: readonly string[], price: ModelPrice, isBatch: boolean) => void;
  onClose: () => void;
}

export function PriceDialog({ edited, taken, onApply, onClose }: PriceDialogProps) {
  const isPhone = useMediaQuery('(max-width:600px)');
  return (
    <Dialog
      open={edited !== undefined}
      onClose={onClose}
      fullWidth
      fullScreen={isPhone}
      maxWidth="xs"
      aria-labelledby="price-dialog"
    >
      {edited !== undefined && (
        <PriceForm edited={edited} taken={taken} onApply={onApply} onClose={onClose} />
      )}
    </Dialog>
  );
}

const EMPTY_PRICE: ModelPrice = { model: '', mode: 'token' };

function PriceForm({ edited, taken, onApply, onClose }: PriceDialogProps & { edited: EditedPrice }) {
  const { t } = useTranslation();
  const many = 'models' in edited ? edited.models : undefined;
  const price = 'price' in edited ? edited.price : EMPTY_PRICE;
  const isNew = 'price' in edited && edited.isNew;
  /** Which model it is stands in the title; only that of a new price is typed. */
  const isNamed = price.model !== '';
  const schema = useMemo(
    () => priceSchema(t, isNew ? taken : undefined, many !== undefined),
    [t, isNew, taken, many],
  );
  const form = useForm<PriceValues>({ resolver: zodResolver(schema), defaultValues: valuesOfPrice(price) });
  const mode = useWatch({ control: form.control, name: 'mode' });
  const ratios = useShowsRatios();
  const switchTo = (next: EntryMode | null) => {
    if (next === null) return;
    const converted = convertEntry(form.getValues(), next);
    for (const name of ['input', 'output', 'ratio', 'completion', 'factors', 'money'] as const) {
      const value = converted[name];
      if (value !== undefined) form.setValue(name, value);
    }
    form.clearErrors();
    form.setValue('mode', next);
  };
  const submit = form.handleSubmit((values) => {
    const next = priceOfValues(values);
    onApply(many ?? [next.model], next, many !== undefined);
    onClose();
  });
  return (
    <Box component="form" noValidate onSubmit={(event) => void submit(event)} sx={{ display: 'contents' }}>
      <DialogTitle id="price-dialog" sx={{ overflowWrap: 'anywhere' }}>
        {many !== undefined
          ? t('prices.batch.title', { count: many.length })
          : isNamed
            ? t('prices.dialogTitleOf', { model: price.model })
            : t('prices.dialogTitle')}
      </DialogTitle>
      <DialogContent sx={{ display: 'grid', gap: 2, alignContent: 'start' }}>
        {many !== undefined && (
          <Typography variant="body2" color="textSecondary">
            {t('prices.batch.help')}
          </Typography>
        )}
        {many === undefined && !isNamed && (
          <TextField control={form.control} name="model" label={t('prices.column.model')} mono />
        )}
        <ToggleButtonGroup
          exclusive
          fullWidth
          size="small"
          value={mode}
          onChange={(_event, next: EntryMode | null) => switchTo(next)}
          aria-label={t('prices.column.mode')}
        >
          {ENTRY_MODES.filter((each) => each !== 'ratio' || ratios || mode === 'ratio').map((each) => (
            <ToggleButton key={each} value={each}>
              {t(`prices.entry.${each}`)}
            </ToggleButton>
          ))}
        </ToggleButtonGroup>
        <Figures control={form.control} mode={mode} isBatch={many !== undefined} />
        {mode !== 'call' && (
          <Factors control={form.control} mode={mode} isOpen={Object.keys(price.factors ?? {}).length > 0} />
        )}
      </DialogContent>
      <DialogActions>
        <Button color="inherit" onClick={onClose}>
          {t('common.cancel')}
        </Button>
        <Button type="submit" variant="contained">
          {t('prices.apply')}
        </Button>
      </DialogActions>
    </Box>
  );
}

/** The two figures of a price by use, as dollars or as ratios. */
const PAIRS = { token: ['input', 'output'], ratio: ['ratio', 'completion'] } as const;

interface FigureProps {
  control: Control<PriceValues>;
  name: 'call' | (typeof PAIRS)[keyof typeof PAIRS][number];
  step?: number;
  unit?: string;
}

function Figure({ control, name, step = 0.01, unit }: FigureProps) {
  const { t } = useTranslation();
  return (
    <NumberField
      control={control}
      name={name}
      label={t(`prices.column.${name}`)}
      min={0}
      step={step}
      unit={unit}
    />
  );
}

interface FiguresProps {
  control: Control<PriceValues>;
  mode: EntryMode;
  isBatch: boolean;
}

function Figures({ control, mode, isBatch }: FiguresProps) {
  const { t } = useTranslation();
  const ratios = useShowsRatios();
  if (mode === 'call')
    return <Figure control={control} name="call" step={0.001} unit={t('settings.unit.perCall')} />;
  const pair = {
    display: 'grid',
    gap: 2,
    gridTemplateColumns: '1fr 1fr',
    '& .MuiOutlinedInput-root': { width: '100%' },
  };
  return (
    <>
      <Box sx={pair}>
        {PAIRS[mode].map((name) => (
          <Figure
            key={name}
            control={control}
            name={name}
            unit={mode === 'token' ? t('settings.unit.perMillion') : undefined}
          />
        ))}
      </Box>
      {!isBatch && (
        <Typography variant="body2" color="textSecondary">
          {t('prices.outputEmpty')}
        </Typography>
      )}
      {mode === 'token' && ratios && <RatioPreview control={control} />}
    </>
  );
}

/** The same price as the ratios it will be stored as. */
function RatioPreview({ control }: { control: Control<PriceValues> }) {
  const { t } = useTranslation();
  const [input, output] = useWatch({ control, name: ['input', 'output'] });
  if (!(input >= 0) || !(output >= 0)) return null;
  return (
    <Typography variant="body2" color="textSecondary">
      {t('prices.asRatio', {
        ratio: ratioOfDollars(input),
        completion: completionOfDollars(input, output),
      })}
    </Typography>
  );
}

interface FactorsProps {
  control: Control<PriceValues>;
  mode: 'token' | 'ratio';
  /** From the start. */
  isOpen: boolean;
}

/** Prices of other kinds of tokens: cached, reasoning, images, audio. */
function Factors({ control, mode, isOpen }: FactorsProps) {
  const { t } = useTranslation();
  const isMoney = mode === 'token';
  return (
    <Accordion
      variant="outlined"
      disableGutters
      defaultExpanded={isOpen}
      sx={{ borderRadius: '8px', '&::before': { display: 'none' } }}
    >
      <AccordionSummary expandIcon={<ExpandMoreRounded />}>
        <Typography variant="subtitle2">{t('prices.factors')}</Typography>
      </AccordionSummary>
      <AccordionDetails sx={{ display: 'grid', gap: 2 }}>
        <Typography variant="body2" color="textSecondary">
          {t(isMoney ? 'prices.moneyHelp' : 'prices.factorsHelp')}
        </Typography>
        {FACTOR_KEYS.map((key) => (
          <NumberField
            key={`${mode} ${key}`}
            control={control}
            name={`${isMoney ? 'money' : 'factors'}.${key}`}
            label={t(`prices.${key}.${isMoney ? 'money' : 'label'}`)}
            min={0}
            step={0.01}
            unit={isMoney ? t('settings.unit.perMillion') : undefined}
          />
        ))}
      </AccordionDetails>
    </Accordion>
  );
}

import { zodResolver } from '@hookform/resolvers/zod';
import Alert from '@mui/material/Alert';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Dialog from '@mui/material/Dialog';
import DialogActions from '@mui/material/DialogActions';
import DialogContent from '@mui/material/DialogContent';
import DialogTitle from '@mui/material/DialogTitle';
import Typography from '@mui/material/Typography';
import type { TFunction } from 'i18next';
import { useMemo } from 'react';
import { useForm, useWatch, type Control } from 'react-hook-form';
import { useTranslation } from 'react-i18next';
import { z } from 'zod';
import { toast } from '../../shared/feedback/toast';
import { useErrorText } from '../../shared/feedback/use-error-text';
import { NumberField } from '../../shared/form/number-field';
import { SelectField } from '../../shared/form/select-field';
import { TextField } from '../../shared/form/text-field';
import { useSaveOptions, type OptionTexts } from './api';
import {
  completionOfDollars,
  dollarsOfRatio,
  outputDollars,
  priceChanges,
  pricesOf,
  ratioOfDollars,
  type ModelPrice,
} from './prices';

interface PriceDialogProps {
  texts: OptionTexts;
  /** Undefined = closed; `isNew` asks for a name that has no price yet. */
  edited: { price: ModelPrice; isNew: boolean } | undefined;
  onClose: () => void;
}

export function PriceDialog({ texts, edited, onClose }: PriceDialogProps) {
  return (
    <Dialog
      open={edited !== undefined}
      onClose={onClose}
      fullWidth
      maxWidth="xs"
      aria-labelledby="price-dialog"
    >
      {edited !== undefined && <PriceForm texts={texts} edited={edited} onClose={onClose} />}
    </Dialog>
  );
}

function priceSchema(t: TFunction, taken: ReadonlySet<string>) {
  const amount = z.number();
  return z
    .object({
      model: z
        .string()
        .trim()
        .min(1, t('settings.prices.nameRequired'))
        .refine((name) => !taken.has(name), t('settings.prices.exists')),
      mode: z.enum(['token', 'call']),
      input: z.union([amount, z.nan()]),
      output: z.union([amount, z.nan()]),
      call: z.union([amount, z.nan()]),
    })
    .superRefine((values, context) => {
      const asked = values.mode === 'call' ? (['call'] as const) : (['input', 'output'] as const);
      for (const name of asked) {
        if (!(values[name] >= 0))
          context.addIssue({ code: 'custom', path: [name], message: t('settings.prices.number') });
      }
      if (values.mode === 'token' && values.input === 0 && values.output > 0) {
        context.addIssue({ code: 'custom', path: ['input'], message: t('settings.prices.inputZero') });
      }
    });
}

type PriceValues = z.infer<ReturnType<typeof priceSchema>>;

function PriceForm({
  texts,
  edited,
  onClose,
}: PriceDialogProps & { edited: NonNullable<PriceDialogProps['edited']> }) {
  const { t } = useTranslation();
  const errorText = useErrorText();
  const save = useSaveOptions();
  const { price, isNew } = edited;
  const schema = useMemo(
    () => priceSchema(t, new Set(isNew ? pricesOf(texts).map((each) => each.model) : [])),
    [t, isNew, texts],
  );
  const form = useForm<PriceValues>({
    resolver: zodResolver(schema),
    defaultValues: {
      model: price.model,
      mode: price.mode,
      input: price.ratio === undefined ? Number.NaN : dollarsOfRatio(price.ratio),
      output: price.ratio === undefined ? Number.NaN : outputDollars(price.ratio, price.completion ?? 1),
      call: price.call ?? Number.NaN,
    },
  });
  const mode = useWatch({ control: form.control, name: 'mode' });

  const submit = form.handleSubmit(async (values) => {
    const next: ModelPrice =
      values.mode === 'call'
        ? { model: values.model, mode: 'call', call: values.call }
        : {
            model: values.model,
            mode: 'token',
            ratio: ratioOfDollars(values.input),
            completion: completionOfDollars(values.input, values.output),
          };
    const { failed } = await save.mutateAsync(priceChanges(texts, values.model, next));
    const [reason] = failed.values();
    if (failed.size > 0) {
      form.setError('root', { message: errorText(reason) });
      return;
    }
    toast('success', t('settings.prices.saved', { model: values.model }));
    onClose();
  });

  return (
    <Box component="form" noValidate onSubmit={(event) => void submit(event)}>
      <DialogTitle id="price-dialog">{t('settings.prices.dialogTitle')}</DialogTitle>
      <DialogContent sx={{ display: 'grid', gap: 2 }}>
        <TextField
          control={form.control}
          name="model"
          label={t('settings.prices.column.model')}
          disabled={!isNew || price.model !== ''}
          mono
        />
        <SelectField
          control={form.control}
          name="mode"
          label={t('settings.prices.column.mode')}
          options={[
            { value: 'token', label: t('settings.prices.mode.token') },
            { value: 'call', label: t('settings.prices.mode.call') },
          ]}
        />
        {mode === 'call' ? (
          <NumberField
            control={form.control}
            name="call"
            label={t('settings.prices.column.call')}
            min={0}
            step={0.001}
            unit="$"
          />
        ) : (
          <>
            <Box sx={{ display: 'grid', gap: 2, gridTemplateColumns: '1fr 1fr' }}>
              <NumberField
                control={form.control}
                name="input"
                label={t('settings.prices.column.input')}
                min={0}
                step={0.01}
                unit="$"
              />
              <NumberField
                control={form.control}
                name="output"
                label={t('settings.prices.column.output')}
                min={0}
                step={0.01}
                unit="$"
              />
            </Box>
            <RatioPreview control={form.control} />
          </>
        )}
        {form.formState.errors.root?.message !== undefined && (
          <Alert severity="error" role="alert">
            {form.formState.errors.root.message}
          </Alert>
        )}
      </DialogContent>
      <DialogActions>
        <Button color="inherit" onClick={onClose}>
          {t('common.cancel')}
        </Button>
        <Button type="submit" variant="contained" loading={form.formState.isSubmitting}>
          {t('common.save')}
        </Button>
      </DialogActions>
    </Box>
  );
}

/** The same price as the ratios it will be stored as. */
function RatioPreview({ control }: { control: Control<PriceValues> }) {
  const { t } = useTranslation();
  const [input, output] = useWatch({ control, name: ['input', 'output'] });
  if (!(input >= 0) || !(output >= 0)) return null;
  return (
    <Typography variant="body2" color="textSecondary">
      {t('settings.prices.asRatio', {
        ratio: ratioOfDollars(input),
        completion: completionOfDollars(input, output),
      })}
    </Typography>
  );
}

import { zodResolver } from '@hookform/resolvers/zod';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import { useMemo } from 'react';
import { useForm } from 'react-hook-form';
import { useTranslation } from 'react-i18next';
import { z } from 'zod';
import { useConfirm } from '../../shared/dialog/confirm';
import { formatJson, isJson } from '../../shared/format/json';
import { toast } from '../../shared/feedback/toast';
import { useErrorText } from '../../shared/feedback/use-error-text';
import { JsonField } from '../../shared/form/json-field';
import { useUnsavedGuard } from '../../shared/form/use-unsaved-guard';
import { useResetModelRatios, useSaveOptions, type OptionTexts } from './api';
import { PRICE_KEYS } from './prices';

type PriceTexts = Record<(typeof PRICE_KEYS)[number], string>;

const EXAMPLES: Readonly<PriceExamples> = {
  ModelPrice: { 'dall-e-3': 0.04 },
  ModelRatio: { 'gpt-4o': 1.25 },
  CompletionRatio: { 'gpt-4o': 4 },
  CacheRatio: { 'gpt-4o': 0.5 },
};
type PriceExamples = Record<(typeof PRICE_KEYS)[number], Record<string, number>>;

/** The four price tables as JSON. */
export function PriceJson({ texts }: { texts: OptionTexts }) {
  const { t } = useTranslation();
  const errorText = useErrorText();
  const confirm = useConfirm();
  const save = useSaveOptions();
  const reset = useResetModelRatios();
  const stored = useMemo(() => {
    const laidOut = (key: string) => formatJson(texts[key] ?? '') ?? texts[key] ?? '';
    return Object.fromEntries(PRICE_KEYS.map((key) => [key, laidOut(key)])) as PriceTexts;
  }, [texts]);
  const schema = useMemo(() => {
    const json = z.string().refine(isJson, t('common.form.notJson'));
    return z.object({ ModelPrice: json, ModelRatio: json, CompletionRatio: json, CacheRatio: json });
  }, [t]);
  const form = useForm<PriceTexts>({
    resolver: zodResolver(schema),
    values: stored,
    resetOptions: { keepDirtyValues: true },
    mode: 'onBlur',
  });
  useUnsavedGuard(form.formState.isDirty && !form.formState.isSubmitting);

  const submit = form.handleSubmit(
    async (wanted) => {
      const changes = PRICE_KEYS.filter((key) => wanted[key] !== stored[key]).map((key) => ({
        key,
        value: wanted[key],
      }));
      if (changes.length === 0) {
        toast('warning', t('settings.nothing'));
        return;
      }
      const { saved, failed } = await save.mutateAsync(changes);
      for (const key of PRICE_KEYS) {
        if (failed.has(key)) form.setError(key, { message: errorText(failed.get(key)) });
        else if (saved.includes(key)) form.resetField(key, { defaultValue: wanted[key] });
      }
      if (failed.size === 0) toast('success', t('settings.saved'));
      else toast('error', t(saved.length > 0 ? 'settings.partly' : 'settings.failed'));
    },
    () => toast('error', t('settings.check')),
  );
  const askReset = async () => {
    const yes = await confirm({
      title: t('settings.confirm.reset'),
      consequence: t('settings.confirm.resetText'),
      action: t('settings.confirm.resetAction'),
      danger: true,
    });
    if (yes) reset.mutate(undefined, { onSuccess: () => toast('success', t('settings.prices.resetDone')) });
  };

  return (
    <Box
      component="form"
      noValidate
      onSubmit={(event) => void submit(event)}
      sx={{ display: 'grid', gap: 2.5, p: 2.5 }}
    >
      {PRICE_KEYS.map((key) => (
        <JsonField
          key={key}
          control={form.control}
          name={key}
          label={t(`settings.prices.${key}.label`)}
          help={t(`settings.prices.${key}.help`)}
          example={EXAMPLES[key]}
          minHeight={140}
        />
      ))}
      <Box sx={{ display: 'flex', gap: 1 }}>
        <Button type="submit" variant="contained" loading={form.formState.isSubmitting}>
          {t('settings.save')}
        </Button>
        <Button color="error" onClick={() => void askReset()} loading={reset.isPending}>
          {t('settings.prices.reset')}
        </Button>
      </Box>
    </Box>
  );
}

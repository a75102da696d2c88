import { zodResolver } from '@hookform/resolvers/zod';
import Alert from '@mui/material/Alert';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import type { TFunction } from 'i18next';
import { useMemo } from 'react';
import { useForm } from 'react-hook-form';
import { useTranslation } from 'react-i18next';
import { z } from 'zod';
import { toast } from '../../shared/feedback/toast';
import { useErrorText } from '../../shared/feedback/use-error-text';
import { SecretField } from '../../shared/form/text-field';
import { Section } from '../../shared/page/section';
import { useChangeSelf } from './api';

const LENGTH = { min: 8, max: 128 };

export function passwordSchema(t: TFunction) {
  return z
    .object({
      original: z.string().min(1, t('personal.password.originalRequired')),
      next: z.string(),
      confirm: z.string(),
    })
    .superRefine((values, context) => {
      const fail = (path: string, message: string) =>
        context.addIssue({ code: 'custom', path: [path], message });
      const length = [...values.next].length;
      if (length === 0) fail('next', t('personal.password.required'));
      else if (length < LENGTH.min || length > LENGTH.max) fail('next', t('personal.password.length'));
      else if (values.next === values.original) fail('next', t('personal.password.same'));
      else if (values.next !== values.confirm) fail('confirm', t('personal.password.mismatch'));
    });
}

const EMPTY = { original: '', next: '', confirm: '' };

export function PasswordForm() {
  const { t } = useTranslation();
  const errorText = useErrorText();
  const change = useChangeSelf();
  const schema = useMemo(() => passwordSchema(t), [t]);
  const form = useForm({ resolver: zodResolver(schema), defaultValues: EMPTY });
  const submit = form.handleSubmit(async (values) => {
    try {
      await change.mutateAsync({ password: values.next, original_password: values.original });
    } catch (error) {
      form.setError('root', { message: errorText(error) });
      return;
    }
    form.reset(EMPTY);
    toast('success', t('personal.password.saved'));
  });
  return (
    <Section title={t('personal.password.title')} explanation={t('personal.password.help')}>
      <Box
        component="form"
        noValidate
        onSubmit={(event) => void submit(event)}
        sx={{ display: 'grid', gap: 2 }}
      >
        <SecretField
          control={form.control}
          name="original"
          label={t('personal.password.original')}
          autoComplete="current-password"
        />
        <SecretField
          control={form.control}
          name="next"
          label={t('personal.password.next')}
          help={t('personal.password.nextHelp')}
        />
        <SecretField control={form.control} name="confirm" label={t('personal.password.confirm')} />
        {form.formState.errors.root?.message !== undefined && (
          <Alert severity="error" role="alert">
            {form.formState.errors.root.message}
          </Alert>
        )}
        <div>
          <Button type="submit" variant="outlined" loading={form.formState.isSubmitting}>
            {t('personal.password.submit')}
          </Button>
        </div>
      </Box>
    </Section>
  );
}

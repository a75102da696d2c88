import { zodResolver } from '@hookform/resolvers/zod';
import Button from '@mui/material/Button';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import type { TFunction } from 'i18next';
import { useMemo } from 'react';
import { useForm } from 'react-hook-form';
import { useTranslation } from 'react-i18next';
import * as z from 'zod/mini';
import { FailureAlert } from '../../shared/feedback/failure-alert';
import { toast } from '../../shared/feedback/toast';
import { PlainForm } from '../../shared/form/plain-form';
import { useSubmit } from '../../shared/form/use-submit';
import { SecretField } from '../../shared/form/text-field';
import { Section } from '../../shared/page/section';
import { useFreshly } from '../../shared/identity/step-up';
import { isPassword } from '../../shared/form/rules';
import { useChangeSelf } from './api';
import { twoFactorQuery } from './two-factor.api';

/** `hasPassword`: accounts that came in by an outside service have none to show. */
function passwordSchema(t: TFunction, hasPassword: boolean) {
  return z
    .object({
      original: hasPassword
        ? z.string().check(z.minLength(1, t('personal.password.originalRequired')))
        : z.string(),
      next: z.string(),
      confirm: z.string(),
    })
    .check(
      z.superRefine((values, context) => {
        const fail = (path: string, message: string) =>
          context.addIssue({ code: 'custom', path: [path], message });
        if (values.next === '') fail('next', t('personal.password.required'));
        else if (!isPassword(values.next)) fail('next', t('personal.password.length'));
        else if (values.next === values.original) fail('next', t('personal.password.same'));
        else if (values.next !== values.confirm) fail('confirm', t('personal.password.mismatch'));
      }),
    );
}

const EMPTY = { original: '', next: '', confirm: '' };

export function PasswordForm() {
  const { t } = useTranslation();
  const change = useChangeSelf();
  const client = useQueryClient();
  const freshly = useFreshly();
  const hasPassword = useQuery(twoFactorQuery).data?.has_password ?? true;
  const schema = useMemo(() => passwordSchema(t, hasPassword), [t, hasPassword]);
  const form = useForm({ resolver: zodResolver(schema), defaultValues: EMPTY });
  const submit = useSubmit(form, async (values) => {
    await freshly(() =>
      change.mutateAsync({
        password: values.next,
        original_password: hasPassword ? values.original : undefined,
      }),
    );
    form.reset(EMPTY);
    toast('success', t('personal.password.saved'));
    await client.invalidateQueries({ queryKey: ['personal'] });
  });
  return (
    <Section
      title={t('personal.password.title')}
      explanation={hasPassword ? t('personal.password.help') : t('personal.password.firstHelp')}
    >
      <PlainForm onSubmit={submit}>
        {hasPassword && (
          <SecretField
            control={form.control}
            name="original"
            label={t('personal.password.original')}
            autoComplete="current-password"
          />
        )}
        <SecretField
          control={form.control}
          name="next"
          label={t('personal.password.next')}
          help={t('personal.password.nextHelp')}
        />
        <SecretField control={form.control} name="confirm" label={t('personal.password.confirm')} />
        <FailureAlert failure={form.formState.errors.root?.message} />
        <div>
          <Button type="submit" variant="outlined" loading={form.formState.isSubmitting}>
            {t('personal.password.submit')}
          </Button>
        </div>
      </PlainForm>
    </Section>
  );
}

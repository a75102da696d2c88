import { zodResolver } from '@hookform/resolvers/zod';
import Button from '@mui/material/Button';
import { useMemo } from 'react';
import { useForm } from 'react-hook-form';
import { useTranslation } from 'react-i18next';
import * as z from 'zod/mini';
import { FailureAlert } from '../../shared/feedback/failure-alert';
import { toast } from '../../shared/feedback/toast';
import { PlainForm } from '../../shared/form/plain-form';
import { useSubmit } from '../../shared/form/use-submit';
import { TextField } from '../../shared/form/text-field';
import { Section } from '../../shared/page/section';
import { storedUser } from '../../api/current-user';
import type { Self } from '../../shared/session/self';
import { LIMITS } from '../../shared/form/limits';
import { atMost } from '../../shared/form/rules';
import { usernameSchema } from '../../shared/identity/username.schema';
import { useChangeSelf } from './api';

export function ProfileForm({ self }: { self: Self }) {
  const { t } = useTranslation();
  const change = useChangeSelf();
  const schema = useMemo(
    () =>
      z.object({
        username: usernameSchema(t),
        displayName: z.string().check(atMost(t, LIMITS.displayName)),
      }),
    [t],
  );
  const form = useForm({
    resolver: zodResolver(schema),
    values: { username: self.username, displayName: self.display_name },
  });
  const submit = useSubmit(form, async (values) => {
    const next = {
      ...(values.username.trim() === self.username ? {} : { username: values.username.trim() }),
      ...(values.displayName.trim() === self.display_name ? {} : { display_name: values.displayName.trim() }),
    };
    if (Object.keys(next).length === 0) {
      toast('warning', t('personal.profile.nothing'));
      return;
    }
    await change.mutateAsync(next);
    const stored = storedUser.read();
    if (stored !== null) storedUser.write({ ...stored, ...next });
    toast('success', t('personal.profile.saved'));
  });
  return (
    <Section title={t('personal.profile.title')}>
      <PlainForm onSubmit={submit}>
        <TextField
          control={form.control}
          name="username"
          label={t('personal.profile.username')}
          autoComplete="username"
        />
        <TextField
          control={form.control}
          name="displayName"
          label={t('personal.profile.displayName')}
          help={t('personal.profile.displayNameHelp')}
          autoComplete="nickname"
        />
        <FailureAlert failure={form.formState.errors.root?.message} />
        <div>
          <Button type="submit" variant="outlined" loading={form.formState.isSubmitting}>
            {t('common.save')}
          </Button>
        </div>
      </PlainForm>
    </Section>
  );
}

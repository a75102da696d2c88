import { zodResolver } from '@hookform/resolvers/zod';
import { useQuery } from '@tanstack/react-query';
import { useMemo, type ReactNode } from 'react';
import { useForm } from 'react-hook-form';
import { useTranslation } from 'react-i18next';
import { Failed } from '../../shared/feedback/failed';
import { Loading } from '../../shared/feedback/loading';
import { toast } from '../../shared/feedback/toast';
import { useErrorText } from '../../shared/feedback/use-error-text';
import { FormDrawer } from '../../shared/form/form-drawer';
import { tokenQuery, useCreateTokens, useEditToken, type Token } from './api';
import { TokenFields } from './token-fields';
import { NEW_TOKEN, tokenSchema, toToken, toValues, type TokenValues } from './token.schema';

interface TokenDrawerProps {
  /** `new`, or the id of a token. */
  edited: 'new' | number;
  onClose: () => void;
}

export function TokenDrawer({ edited, onClose }: TokenDrawerProps) {
  return edited === 'new' ? <TokenForm onClose={onClose} /> : <EditToken id={edited} onClose={onClose} />;
}

function EditToken({ id, onClose }: { id: number; onClose: () => void }) {
  const { t } = useTranslation();
  const { data, error, isError, refetch } = useQuery(tokenQuery(id));
  const loading = isError ? (
    <Failed title={t('tokens.form.notFound')} error={error} onRetry={() => void refetch()} />
  ) : (
    <Loading />
  );
  return <TokenForm token={data} loading={data === undefined ? loading : undefined} onClose={onClose} />;
}

interface TokenFormProps {
  token?: Token;
  loading?: ReactNode;
  onClose: () => void;
}

function TokenForm({ token, loading, onClose }: TokenFormProps) {
  const { t } = useTranslation();
  const errorText = useErrorText();
  const isNew = token === undefined && loading === undefined;
  const schema = useMemo(() => tokenSchema(t), [t]);
  const form = useForm<TokenValues>({
    resolver: zodResolver(schema),
    defaultValues: NEW_TOKEN,
    values: token === undefined ? undefined : toValues(token),
  });
  const create = useCreateTokens();
  const edit = useEditToken();

  const submit = async (values: TokenValues) => {
    const body = toToken(values);
    if (token === undefined) {
      const { created, failure } = await create.mutateAsync({ token: body, count: values.count });
      if (failure === undefined) toast('success', t('tokens.done.created', { count: created }));
      else
        toast(
          'warning',
          t('tokens.done.createdPartly', { done: created, count: values.count, reason: errorText(failure) }),
        );
    } else {
      await edit.mutateAsync({ ...body, id: token.id, remain_quota_before: token.remain_quota });
      toast('success', t('tokens.done.saved'));
    }
    onClose();
  };

  return (
    <FormDrawer
      open
      title={t(isNew ? 'tokens.form.addTitle' : 'tokens.form.editTitle')}
      explanation={token?.name}
      form={form}
      onSubmit={submit}
      onClose={onClose}
      submitLabel={t(isNew ? 'tokens.form.create' : 'common.save')}
      fieldLabels={{
        name: t('tokens.form.name'),
        expires: t('tokens.form.expires'),
        quota: t('tokens.form.quota'),
        count: t('tokens.form.count'),
      }}
      loading={loading}
    >
      <TokenFields form={form} isNew={isNew} />
    </FormDrawer>
  );
}

import { useCallback } from 'react';
import { useTranslation } from 'react-i18next';
import { toast } from '../../shared/feedback/toast';
import { useErrorText } from '../../shared/feedback/use-error-text';
import { FormDrawer } from '../../shared/form/form-drawer';
import { useEditDrawer } from '../../shared/resource/use-edit-drawer';
import { tokenQuery, useCreateTokens, useEditToken } from './api';
import { TokenFields } from './token-fields';
import { NEW_TOKEN, tokenSchema, toToken, toValues } from './token.schema';

interface TokenDrawerProps {
  /** `new`, or the id of a token. */
  edited: 'new' | number;
  onClose: () => void;
  /** One token was created. */
  onCreated?: (id: number) => void;
}

export function TokenDrawer({ edited, onClose, onCreated }: TokenDrawerProps) {
  const { t } = useTranslation();
  const errorText = useErrorText();
  const create = useCreateTokens();
  const edit = useEditToken();
  const { form, row, isNew, drawerProps } = useEditDrawer({
    id: edited,
    texts: 'tokens',
    load: tokenQuery,
    schema: useCallback(() => tokenSchema(t), [t]),
    initial: NEW_TOKEN,
    toValues,
    create: async (values) => {
      const { count } = values;
      const { created, id, failure } = await create.mutateAsync({ token: toToken(values), count });
      if (failure === undefined) toast('success', t('tokens.done.created', { count: created }));
      else
        toast(
          'warning',
          t('tokens.done.createdPartly', { done: created, count, reason: errorText(failure) }),
        );
      if (id === undefined || onCreated === undefined) return true;
      onCreated(id);
      return false;
    },
    save: async (token, values) => {
      await edit.mutateAsync({
        ...toToken(values),
        id: token.id,
        remain_quota_before: token.remain_quota,
      });
      toast('success', t('tokens.done.saved'));
    },
    onClose,
  });

  return (
    <FormDrawer {...drawerProps} explanation={row?.name}>
      <TokenFields form={form} isNew={isNew} />
    </FormDrawer>
  );
}

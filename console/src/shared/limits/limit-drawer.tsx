import { useQuery } from '@tanstack/react-query';
import { useCallback, useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { toast } from '../feedback/toast';
import { FormDrawer } from '../form/form-drawer';
import { useEditDrawer } from '../resource/use-edit-drawer';
import { useQuotaSettings } from '../session/status';
import { SCOPES } from './limit-scopes';
import { LimitFields } from './limit-fields';
import { UsedSoFar } from './used-so-far';
import { limitRule } from './limit-texts';
import { limitQuery, limitRightsQuery, type LimitTarget, useCreateLimit, useEditLimit } from './limits.api';
import { limitSchema, type LimitValues, NEW_LIMIT, toCreate, toEdit, toValues } from './limit.schema';

interface LimitDrawerProps {
  /** `new`, or the id of a limit. */
  edited: 'new' | number;
  /** Target of a new limit; the form asks for it when it is left out. */
  target?: LimitTarget | undefined;
  /** Fields that a new limit starts with. */
  start?: Partial<LimitValues>;
  onClose: () => void;
}

/** Makes a limit, or changes its amount, name and warnings. */
export function LimitDrawer({ edited, target, start, onClose }: LimitDrawerProps) {
  const { t } = useTranslation();
  const settings = useQuotaSettings();
  const create = useCreateLimit();
  const edit = useEditLimit();
  const rights = useQuery(limitRightsQuery);
  const initial = useMemo(
    () => ({
      ...NEW_LIMIT,
      ...start,
      ...(target === undefined ? {} : { scope: target.scope, subject: target.subject }),
    }),
    [start, target],
  );
  const ruleOf = (values: LimitValues) =>
    limitRule(t, { ...values, period: values.measure === 'in_flight' ? '' : values.period }, settings);
  const { form, row, isNew, drawerProps } = useEditDrawer({
    id: edited,
    texts: 'limits',
    load: limitQuery,
    schema: useCallback(() => limitSchema(t), [t]),
    initial,
    toValues,
    create: async (values) => {
      await create.mutateAsync(toCreate(values, ruleOf(values)));
      toast('success', t('limits.done.created'));
    },
    save: async (limit, values) => {
      await edit.mutateAsync(toEdit(values, limit, ruleOf(values)));
      toast('success', t('limits.done.saved'));
    },
    onClose,
  });
  return (
    <FormDrawer {...drawerProps} explanation={target?.name ?? row?.name ?? ''}>
      <LimitFields
        form={form}
        isNew={isNew}
        isTargetFixed={target !== undefined}
        scopes={SCOPES.filter((scope) => rights.data?.scopes.includes(scope) ?? false)}
      />
      {isNew && <UsedSoFar form={form} />}
    </FormDrawer>
  );
}

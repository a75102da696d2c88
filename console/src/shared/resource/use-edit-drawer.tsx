import { zodResolver } from '@hookform/resolvers/zod';
import { useQuery, type QueryKey, type UseQueryOptions } from '@tanstack/react-query';
import { useMemo, type ReactNode } from 'react';
import { useForm, type DefaultValues, type FieldValues, type UseFormReturn } from 'react-hook-form';
import { useTranslation } from 'react-i18next';
import type { ZodMiniType } from 'zod/mini';
import { Failed } from '../feedback/failed';
import { Loading } from '../feedback/loading';

/** Groups of texts that have `form.addTitle`, `form.editTitle`, `form.create`, `form.notFound`, and in `form` the name of each field. */
type Texts = 'channels' | 'limits' | 'redemptions' | 'tokens' | 'users';

interface EditDrawerOptions<Row, Values extends FieldValues, Key extends QueryKey> {
  /** `new`, or the id of what is edited. */
  id: 'new' | number;
  texts: Texts;
  load: (id: number) => UseQueryOptions<Row, Error, Row, Key>;
  /** Keep its identity while its parts are the same. Gets no row for a new one. */
  schema: (row: Row | undefined) => ZodMiniType<Values, Values>;
  initial: Values;
  toValues: (row: Row) => Values;
  /** `false` keeps the drawer open; what is thrown is shown in it. */
  create: (values: Values, form: UseFormReturn<Values>) => Promise<boolean | void>;
  save: (row: Row, values: Values, form: UseFormReturn<Values>) => Promise<boolean | void>;
  onClose: () => void;
  /** Shown in place of the form, for rows that cannot be edited. */
  locked?: (row: Row) => ReactNode;
  /** "Save", when left out. */
  saveLabel?: string;
}

/**
 * The form of a drawer in which one thing is made or edited: what is edited is loaded, the form is filled with it, and the
 * drawer closes when it is saved. Spread `drawerProps` on a `FormDrawer`.
 */
export function useEditDrawer<Row, Values extends FieldValues, Key extends QueryKey>({
  id,
  texts,
  load,
  schema,
  initial,
  toValues,
  create,
  save,
  onClose,
  locked,
  saveLabel,
}: EditDrawerOptions<Row, Values, Key>) {
  const { t } = useTranslation();
  const isNew = id === 'new';
  const loaded = useQuery({ ...load(isNew ? 0 : id), enabled: !isNew });
  const row = isNew ? undefined : loaded.data;
  const resolver = useMemo(() => zodResolver(schema(row)), [schema, row]);
  const values = useMemo(() => (row === undefined ? undefined : toValues(row)), [row, toValues]);
  const form = useForm<Values>({ resolver, defaultValues: initial as DefaultValues<Values>, values });

  const onSubmit = async (given: Values) => {
    const answer = row === undefined ? await create(given, form) : await save(row, given, form);
    if (answer !== false) onClose();
  };

  const instead = (): ReactNode => {
    if (isNew) return undefined;
    if (row !== undefined) return locked?.(row) ?? undefined;
    if (!loaded.isError) return <Loading />;
    return (
      <Failed
        title={t(`${texts}.form.notFound`)}
        error={loaded.error}
        onRetry={() => void loaded.refetch()}
      />
    );
  };

  return {
    form,
    row,
    isNew,
    drawerProps: {
      open: true,
      title: t(isNew ? `${texts}.form.addTitle` : `${texts}.form.editTitle`),
      form,
      onSubmit,
      onClose,
      submitLabel: isNew ? t(`${texts}.form.create`) : (saveLabel ?? t('common.save')),
      // Each field has one: app/field-names.spec.ts.
      labelOf: (field: string) => t(`${texts}.form.${field}` as 'common.save'),
      loading: instead(),
    },
  };
}

import { useTranslation } from 'react-i18next';
import { AccountLink } from '../../shared/accounts/account-link';
import { StatusTag } from '../../shared/feedback/status-tag';
import type { Column } from '../../shared/table/columns';
import { Moment } from '../../shared/value/moment';
import type { BinItem, Section } from './api';

/** Columns of a section; channels belong to no account, and a user is one. */
export function useBinColumns(section: Section): Column<BinItem>[] {
  const { t } = useTranslation();
  const nameOf = (name: string, id: number) =>
    id === 0 && name === '' ? t('bin.unknown') : <AccountLink id={id} name={name} />;
  const owner: Column<BinItem> = {
    id: 'owner',
    label: t('bin.column.owner'),
    card: 'line',
    render: (item) => nameOf(item.owner_name, item.owner_id),
  };
  return [
    {
      id: 'name',
      label: t('bin.column.name'),
      choosable: false,
      card: 'title',
      render: (item) =>
        section === 'user' ? (
          <AccountLink id={item.id} text={`${item.name} #${item.id}`} />
        ) : (
          `${item.name} #${item.id}`
        ),
    },
    ...(section === 'token' || section === 'redemption' ? [owner] : []),
    {
      id: 'deleted',
      label: t('bin.column.deleted'),
      card: 'line',
      render: (item) => <Moment seconds={item.deleted_at} />,
    },
    {
      id: 'by',
      label: t('bin.column.by'),
      card: 'line',
      render: (item) => nameOf(item.deleted_by_name, item.deleted_by),
    },
    {
      id: 'kept',
      label: t('bin.column.kept'),
      card: 'aside',
      render: ({ hindrance, kept_until: keptUntil }) =>
        hindrance === '' ? (
          <Moment seconds={keptUntil} />
        ) : (
          <StatusTag tone="neutral" tooltip={t(`bin.hindranceHelp.${hindrance}`)}>
            {t(`bin.hindrance.${hindrance}`)}
          </StatusTag>
        ),
    },
  ];
}

import Button from '@mui/material/Button';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { Empty } from '../feedback/empty';
import type { ListState } from './use-list-state';

interface ListEmptyProps {
  /** The list's state: its filters may be why nothing is there. */
  list: Partial<Pick<ListState<string>, 'active' | 'clearFilters'>> | undefined;
  /** Shown when there really is nothing yet. */
  children: ReactNode;
}

/** An empty list: nothing found by the filters, with the way back; or nothing there at all. */
export function ListEmpty({ list, children }: ListEmptyProps) {
  const { t } = useTranslation();
  if (list?.active === undefined || list.active.length === 0) return children;
  return (
    <Empty
      title={t('common.table.nothingFound')}
      explanation={t('common.table.nothingFoundHelp')}
      action={<Button onClick={list.clearFilters}>{t('common.table.clearAll')}</Button>}
    />
  );
}

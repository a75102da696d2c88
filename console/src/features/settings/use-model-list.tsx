import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useSearchParams } from 'react-router';
import { MONO } from '../../shared/format/mono';
import type { Column } from '../../shared/table/columns';
import { SearchBox } from '../../shared/table/search-box';
import type { RowId } from '../../shared/table/table-props';
import { useLocalPage } from './use-local-page';

const NOTHING: ReadonlySet<RowId> = new Set();

interface ModelListInput<T> {
  /** Every row. */
  rows: readonly T[];
  /** Name and key of a row. */
  modelOf: (row: T) => string;
  /** Narrows the rows beside the search; all when left out. */
  isWanted?: (row: T) => boolean;
  /** Their order is not known yet: the table keeps its place with a skeleton. */
  isPending?: boolean;
}

/** Models the console has all of, in a table: searched by name (at first by `model` of the address), page by page, some of them picked. */
export function useModelList<T>({
  rows,
  modelOf,
  isWanted = () => true,
  isPending = false,
}: ModelListInput<T>) {
  const { t } = useTranslation();
  const [address] = useSearchParams();
  const [text, setText] = useState(address.get('model') ?? '');
  const [selected, setSelected] = useState(NOTHING);
  const wanted = text.toLowerCase();
  const found = rows.filter((row) => isWanted(row) && modelOf(row).toLowerCase().includes(wanted));
  const { page, firstPage } = useLocalPage(found);
  const column: Column<T> = {
    id: 'model',
    label: t('prices.column.model'),
    choosable: false,
    // A long name breaks instead of pushing the last column under the actions.
    fills: true,
    card: 'title',
    render: (row) => (
      <span style={{ fontFamily: MONO, fontSize: 12.5, overflowWrap: 'anywhere', whiteSpace: 'normal' }}>
        {modelOf(row)}
      </span>
    ),
  };
  return {
    found,
    /** After the rows were narrowed otherwise. */
    firstPage,
    /** Rows that are picked, whether they are found or not. */
    chosen: rows.filter((row) => selected.has(modelOf(row))),
    select: (models: readonly string[]) => setSelected(new Set(models)),
    clear: () => setSelected(NOTHING),
    search: (
      <SearchBox
        value={text}
        label={t('prices.search')}
        onChange={(next) => {
          setText(next);
          firstPage();
        }}
      />
    ),
    column,
    /** For the table. */
    table: {
      ...page,
      query: isPending ? { ...page.query, data: undefined } : page.query,
      rowId: modelOf,
      rowName: modelOf,
      selection: { selected, onChange: setSelected },
    },
  };
}

import ButtonBase from '@mui/material/ButtonBase';
import Checkbox from '@mui/material/Checkbox';
import Box from '@mui/material/Box';
import Table from '@mui/material/Table';
import TableBody from '@mui/material/TableBody';
import TableCell from '@mui/material/TableCell';
import TableContainer from '@mui/material/TableContainer';
import TableHead from '@mui/material/TableHead';
import TableRow from '@mui/material/TableRow';
import TableSortLabel from '@mui/material/TableSortLabel';
import visuallyHidden from '@mui/utils/visuallyHidden';
import type { CSSProperties, KeyboardEvent } from 'react';
import { useTranslation } from 'react-i18next';
import { runOf, type Column } from './columns';
import type { DataTableProps } from './table-props';
import { isInteractive, selectAll, selectOne, selectionState } from './selection';

interface TableGridProps<T> extends DataTableProps<T> {
  rows: readonly T[];
  density: 'compact' | 'comfortable';
}

/** Arrow keys move between the same control of neighbouring rows. */
function moveByArrow(event: KeyboardEvent<HTMLElement>) {
  if (event.key !== 'ArrowDown' && event.key !== 'ArrowUp') return;
  const target = event.target as HTMLElement;
  const cell = target.closest('td');
  const row = target.closest('tr');
  if (
    cell === null ||
    row === null ||
    target.matches('input:not([type=checkbox]), textarea, [role=combobox]')
  )
    return;
  const sibling = event.key === 'ArrowDown' ? row.nextElementSibling : row.previousElementSibling;
  if (!(sibling instanceof HTMLTableRowElement)) return;
  // Rows may hold different controls before this one; the column is what they share.
  const controls = (within: Element | undefined) => [
    ...(within?.querySelectorAll<HTMLElement>('button, a, input') ?? []),
  ];
  const choices = controls(cellAt(sibling, placeOf(cell)));
  (choices[controls(cell).indexOf(target)] ?? choices[0])?.focus();
  event.preventDefault();
}

/** The column a cell stands in: cells before it may reach over several. */
function placeOf(cell: HTMLTableCellElement): number {
  const before = [...(cell.parentElement as HTMLTableRowElement).cells].slice(0, cell.cellIndex);
  return before.reduce((place, { colSpan }) => place + colSpan, 0);
}

function cellAt(row: HTMLTableRowElement, place: number): HTMLTableCellElement | undefined {
  let end = 0;
  return [...row.cells].find((cell) => (end += cell.colSpan) > place);
}

export function TableGrid<T>(props: TableGridProps<T>) {
  const { columns, rows, rowId, selection, density, label, actions, sort } = props;
  const { grows = false, fixed = false } = props;
  const { t } = useTranslation();
  const ids = rows.map(rowId);
  const state = selectionState(selection?.selected, ids);
  const fills = columns.some((column) => column.fills === true);
  return (
    <TableContainer
      sx={{ maxHeight: grows ? undefined : { md: 'calc(100dvh - 250px)' }, minHeight: 120 }}
      tabIndex={-1}
    >
      <Table
        stickyHeader
        size="small"
        aria-label={label}
        onKeyDown={moveByArrow}
        sx={{
          tableLayout: fixed ? 'fixed' : undefined,
          '& th:first-of-type, & td:first-of-type': { pl: 2 },
          ...(fixed ? FIXED_CELLS : {}),
        }}
      >
        <TableHead>
          <TableRow sx={{ '& th': { bgcolor: 'background.paper', height: 38, py: 0 } }}>
            {selection !== undefined && (
              <TableCell padding="checkbox" sx={{ pl: 1 }}>
                <Checkbox
                  checked={state === 'all'}
                  indeterminate={state === 'some'}
                  onChange={(_event, checked) =>
                    selection.onChange(selectAll(selection.selected, ids, checked))
                  }
                  slotProps={{ input: { 'aria-label': t('common.table.selectAll') } }}
                />
              </TableCell>
            )}
            {columns.map((column) => (
              <TableCell
                key={column.id}
                align={column.align}
                style={headStyle(column, fills)}
                aria-sort={sort !== undefined && sort.by === column.sort ? 'descending' : undefined}
              >
                <Heading column={column} sort={sort} />
              </TableCell>
            ))}
            {actions !== undefined && (
              <TableCell align="right" sx={{ position: 'sticky', right: 0, zIndex: 3 }}>
                <Box component="span" sx={visuallyHidden}>
                  {t('common.table.actions')}
                </Box>
              </TableCell>
            )}
          </TableRow>
        </TableHead>
        <TableBody
          sx={{
            '& td': { height: density === 'compact' ? 36 : 48, py: density === 'compact' ? 0.25 : 0.75 },
          }}
        >
          {rows.map((row) => (
            <GridRow key={rowId(row)} {...props} row={row} />
          ))}
        </TableBody>
      </Table>
    </TableContainer>
  );
}

/** Cells of columns with a width of their own: what is too long is cut. */
const FIXED_CELLS = { '& td, & th': { overflow: 'hidden', textOverflow: 'ellipsis', px: 1 } } as const;

function Heading<T>({ column, sort }: { column: Column<T>; sort: DataTableProps<T>['sort'] }) {
  const by = column.sort;
  if (by === undefined || sort === undefined) return column.label;
  const isActive = sort.by === by;
  return (
    <TableSortLabel
      active={isActive}
      direction="desc"
      onClick={() => sort.onChange(isActive ? '' : by)}
      sx={{ '&.Mui-active': { color: 'primary.main' }, flexDirection: 'inherit' }}
    >
      {column.label}
    </TableSortLabel>
  );
}

/** Opaque in every state: the pinned cell inherits the row's colour and covers the cells that scroll below it. */
const ROW_COLOURS = {
  bgcolor: 'background.paper',
  '&.MuiTableRow-hover:hover': { bgcolor: 'soft.hover' },
  '&.Mui-selected, &.Mui-selected.MuiTableRow-hover:hover': { bgcolor: 'soft.accent' },
};

function GridRow<T>({
  row,
  columns,
  rowId,
  rowName,
  selection,
  onOpen: open,
  canOpen,
  actions,
  across,
  isMuted,
}: TableGridProps<T> & { row: T }) {
  const { t } = useTranslation();
  const onOpen = canOpen?.(row) === false ? undefined : open;
  const id = rowId(row);
  const name = rowName(row);
  const selected = selection?.selected.has(id) ?? false;
  const instead = across?.render(row) ?? null;
  const joined = runOf(columns, instead === null ? [] : (across?.columns ?? []));
  const fills = columns.some((column) => column.fills === true);
  return (
    <TableRow
      hover
      selected={selected}
      onClick={(event) => {
        if (onOpen !== undefined && !isInteractive(event.target, event.currentTarget)) onOpen(row);
      }}
      sx={{
        cursor: onOpen === undefined ? undefined : 'pointer',
        ...ROW_COLOURS,
        '& > td': { color: isMuted?.(row) === true ? 'text.secondary' : undefined },
        '&:last-of-type > td': { borderBottom: 0 },
      }}
    >
      {selection !== undefined && (
        <TableCell padding="checkbox" sx={{ pl: 1 }}>
          <Checkbox
            checked={selected}
            onChange={(_event, checked) => selection.onChange(selectOne(selection.selected, id, checked))}
            slotProps={{ input: { 'aria-label': t('common.table.selectRow', { name }) } }}
          />
        </TableCell>
      )}
      {columns.map((column, index) =>
        index > joined.from && index < joined.from + joined.length ? null : index === joined.from &&
          joined.length > 0 ? (
          <TableCell key={column.id} colSpan={joined.length} style={{ maxWidth: 0, overflow: 'hidden' }}>
            {instead}
          </TableCell>
        ) : (
          <TableCell key={column.id} align={column.align} style={cellStyle(column, fills)}>
            <Cell column={column} row={row} onOpen={onOpen} />
          </TableCell>
        ),
      )}
      {actions !== undefined && (
        <TableCell
          align="right"
          sx={{
            position: 'sticky',
            right: 0,
            bgcolor: 'inherit',
            whiteSpace: 'nowrap',
            pl: 1,
            pr: 1,
          }}
        >
          {actions(row)}
        </TableCell>
      )}
    </TableRow>
  );
}

/** A column that fills keeps this much, however wide the others are; pixels. */
const LEAST_FILL = 120;

function headStyle<T>(column: Column<T>, fills: boolean): CSSProperties {
  if (column.fills === true) return { width: '100%', minWidth: LEAST_FILL };
  return { width: column.width, whiteSpace: fills ? 'nowrap' : undefined };
}

/** Without a width of its own a cell cannot widen its column, so its text ends where the column does. */
function cellStyle<T>(column: Column<T>, fills: boolean): CSSProperties {
  if (column.fills === true) return { maxWidth: 0, overflow: 'hidden' };
  return { whiteSpace: fills ? 'nowrap' : undefined };
}

interface CellProps<T> {
  column: Column<T>;
  row: T;
  onOpen?: (row: T) => void;
}

/** The title cell is the keyboard's way into a row. */
function Cell<T>({ column, row, onOpen }: CellProps<T>) {
  if (column.card !== 'title' || column.hasOwnLink === true || onOpen === undefined)
    return column.render(row);
  return (
    <ButtonBase
      onClick={() => onOpen(row)}
      aria-haspopup="dialog"
      sx={{
        font: 'inherit',
        fontWeight: 550,
        textAlign: 'left',
        borderRadius: '6px',
        maxWidth: '100%',
        justifyContent: 'flex-start',
      }}
    >
      {column.render(row)}
    </ButtonBase>
  );
}

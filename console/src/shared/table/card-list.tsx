import Box from '@mui/material/Box';
import ButtonBase from '@mui/material/ButtonBase';
import Checkbox from '@mui/material/Checkbox';
import Typography from '@mui/material/Typography';
import { useTranslation } from 'react-i18next';
import type { DataTableProps } from './table-props';
import { isInteractive, selectOne } from './selection';

/** A cell may turn out to hold nothing, which only the page knows: a label alone is useless. */
const PAIR = {
  display: 'flex',
  gap: 0.75,
  alignItems: 'center',
  minWidth: 0,
  '&:has(> dd:empty)': { display: 'none' },
} as const;

/** Rows on a phone: the two or three things one needs, the rest one tap away. */
export function CardList<T>(props: DataTableProps<T> & { rows: readonly T[] }) {
  return (
    <Box component="ul" aria-label={props.label} sx={{ listStyle: 'none', m: 0, p: 0 }}>
      {props.rows.map((row) => (
        <Card key={props.rowId(row)} {...props} row={row} />
      ))}
    </Box>
  );
}

function Card<T>({
  row,
  columns,
  rowId,
  rowName,
  selection,
  onOpen: open,
  canOpen,
  actions,
  actionsBeside = false,
  across,
  isMuted,
}: DataTableProps<T> & { row: T }) {
  const { t } = useTranslation();
  const onOpen = canOpen?.(row) === false ? undefined : open;
  const id = rowId(row);
  const name = rowName(row);
  const title = columns.find((column) => column.card === 'title');
  const asides = columns.filter((column) => column.card === 'aside');
  const instead = across?.render(row) ?? null;
  const isCovered = (name: string) => across?.columns.includes(name) === true;
  const lines = columns
    .filter(({ card, id: name }) => card === 'line' && (instead === null || !isCovered(name)))
    .map((column) => ({ column, value: column.render(row) }))
    .filter(({ value }) => value !== null && value !== '');
  return (
    <Box
      component="li"
      onClick={(event) => {
        if (onOpen !== undefined && !isInteractive(event.target, event.currentTarget)) onOpen(row);
      }}
      sx={{
        borderTop: 1,
        borderColor: 'divider',
        px: 2,
        py: 1.5,
        display: 'grid',
        gap: 0.75,
        color: isMuted?.(row) === true ? 'text.secondary' : undefined,
        fontSize: 13,
      }}
    >
      <Box sx={{ display: 'flex', alignItems: 'center', gap: 1, minWidth: 0 }}>
        {selection !== undefined && (
          <Checkbox
            sx={{ ml: -1.25, my: -1 }}
            checked={selection.selected.has(id)}
            onChange={(_event, checked) => selection.onChange(selectOne(selection.selected, id, checked))}
            slotProps={{ input: { 'aria-label': t('common.table.selectRow', { name }) } }}
          />
        )}
        <Box sx={{ flex: 1, minWidth: 0, fontWeight: 600, fontSize: 14 }}>
          {onOpen === undefined || title?.hasOwnLink === true ? (
            title?.render(row)
          ) : (
            <ButtonBase
              onClick={() => onOpen(row)}
              aria-haspopup="dialog"
              sx={{
                font: 'inherit',
                minHeight: 28,
                textAlign: 'left',
                justifyContent: 'flex-start',
                maxWidth: '100%',
              }}
            >
              {title?.render(row)}
            </ButtonBase>
          )}
        </Box>
        {asides.map((column) => (
          <Box key={column.id} sx={{ flexShrink: 0 }}>
            {column.render(row)}
          </Box>
        ))}
        {actionsBeside && actions !== undefined && (
          <Box sx={{ flexShrink: 0, mr: -1, my: -0.75 }}>{actions(row)}</Box>
        )}
      </Box>
      {instead !== null && <Box sx={{ minWidth: 0, overflowWrap: 'anywhere' }}>{instead}</Box>}
      {lines.length > 0 && (
        <Box component="dl" sx={{ m: 0, display: 'flex', flexWrap: 'wrap', columnGap: 2, rowGap: 0.5 }}>
          {lines.map(({ column, value }) => (
            <Box key={column.id} sx={PAIR}>
              <Typography component="dt" variant="caption" color="textSecondary">
                {column.label}
              </Typography>
              <Box component="dd" sx={{ m: 0, minWidth: 0 }}>
                {value}
              </Box>
            </Box>
          ))}
        </Box>
      )}
      {!actionsBeside && actions !== undefined && (
        <Box sx={{ display: 'flex', justifyContent: 'flex-end', gap: 0.5 }}>{actions(row)}</Box>
      )}
    </Box>
  );
}

import Table from '@mui/material/Table';
import TableBody from '@mui/material/TableBody';
import TableCell from '@mui/material/TableCell';
import TableContainer from '@mui/material/TableContainer';
import TableHead from '@mui/material/TableHead';
import TableRow from '@mui/material/TableRow';
import type { ReactNode } from 'react';

interface SmallTableProps {
  label: string;
  heads: readonly string[];
  rows: readonly { readonly id: string; readonly cells: readonly ReactNode[] }[];
  /** Columns of text; the others hold figures. */
  textColumns?: readonly number[];
  /** Pixels; longer tables scroll. */
  maxHeight?: number;
  /** True in a section without padding: the first column stands below its heading. */
  isFlush?: boolean;
}

const FIRST_COLUMN = [0];

/** A small table without sorting or pages; figures stand at the right. */
export function SmallTable({
  label,
  heads,
  rows,
  textColumns = FIRST_COLUMN,
  maxHeight,
  isFlush = false,
}: SmallTableProps) {
  const alignOf = (column: number) => (textColumns.includes(column) ? 'left' : 'right');
  return (
    <TableContainer
      tabIndex={0}
      role="region"
      aria-label={label}
      sx={{
        maxHeight,
        // Wide enough for a name on a phone.
        '& th:first-of-type, & td:first-of-type': { minWidth: 140, ...(isFlush ? { pl: 2.5 } : {}) },
      }}
    >
      <Table size="small" aria-label={label}>
        <TableHead>
          <TableRow>
            {heads.map((head, column) => (
              <TableCell key={`${column} ${head}`} align={alignOf(column)}>
                {head}
              </TableCell>
            ))}
          </TableRow>
        </TableHead>
        <TableBody>
          {rows.map(({ id, cells }) => (
            <TableRow key={id}>
              {cells.map((cell, column) => (
                <TableCell
                  key={column}
                  align={alignOf(column)}
                  sx={alignOf(column) === 'left' ? { overflowWrap: 'anywhere' } : { whiteSpace: 'nowrap' }}
                >
                  {cell}
                </TableCell>
              ))}
            </TableRow>
          ))}
        </TableBody>
      </Table>
    </TableContainer>
  );
}

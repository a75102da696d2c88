import Box from '@mui/material/Box';
import Skeleton from '@mui/material/Skeleton';
import { useTranslation } from 'react-i18next';

interface TableSkeletonProps {
  columns: number;
  /** Rows of a table, or the cards of a phone. */
  density: 'compact' | 'comfortable' | 'cards';
}

/** Pixels of one row; a card has about two lines and its actions. What stands below may not move when the rows come. */
const HEIGHTS = { compact: 36, comfortable: 48, cards: 112 } as const;

/** The shape of the table that is coming. */
export function TableSkeleton({ columns, density }: TableSkeletonProps) {
  const { t } = useTranslation();
  return (
    <Box role="status" aria-label={t('common.loading')} sx={{ px: 2, pb: 1 }}>
      {Array.from({ length: 8 }, (_row, row) => (
        <Box
          key={row}
          sx={{
            display: 'flex',
            gap: 3,
            height: HEIGHTS[density],
            alignItems: 'center',
            borderBottom: 1,
            borderColor: 'divider',
          }}
        >
          {Array.from({ length: Math.max(1, columns) }, (_column, column) => (
            <Skeleton key={column} sx={{ flex: column === 1 ? 2 : 1 }} height={row === 0 ? 14 : 18} />
          ))}
        </Box>
      ))}
    </Box>
  );
}

import Box from '@mui/material/Box';
import Skeleton from '@mui/material/Skeleton';
import { useTranslation } from 'react-i18next';

interface TableSkeletonProps {
  columns: number;
  density: 'compact' | 'comfortable';
}

/** The shape of the table that is coming. */
export function TableSkeleton({ columns, density }: TableSkeletonProps) {
  const { t } = useTranslation();
  const height = density === 'compact' ? 36 : 48;
  return (
    <Box role="status" aria-label={t('common.loading')} sx={{ px: 2, pb: 1 }}>
      {Array.from({ length: 8 }, (_row, row) => (
        <Box
          key={row}
          sx={{
            display: 'flex',
            gap: 3,
            height,
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

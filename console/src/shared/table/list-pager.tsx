import ChevronLeftRounded from '@mui/icons-material/ChevronLeftRounded';
import ChevronRightRounded from '@mui/icons-material/ChevronRightRounded';
import Box from '@mui/material/Box';
import IconButton from '@mui/material/IconButton';
import MenuItem from '@mui/material/MenuItem';
import Select from '@mui/material/Select';
import Typography from '@mui/material/Typography';
import { useTranslation } from 'react-i18next';
import { PAGE_SIZES } from '../browser/stored';

interface ListPagerProps {
  page: number;
  pageSize: number;
  total: number;
  setPage(page: number): void;
  setPageSize(size: number): void;
}

export function ListPager({ page, pageSize, total, setPage, setPageSize }: ListPagerProps) {
  const { t } = useTranslation();
  const pages = Math.max(1, Math.ceil(total / pageSize));
  const from = (page - 1) * pageSize + 1;
  return (
    <Box
      component="nav"
      aria-label={t('common.table.pages')}
      sx={{
        display: 'flex',
        alignItems: 'center',
        gap: { xs: 0.5, sm: 1 },
        px: { xs: 1.5, sm: 2 },
        py: 0.75,
        borderTop: 1,
        borderColor: 'divider',
        justifyContent: 'flex-end',
        flexWrap: 'wrap',
      }}
    >
      <Typography variant="body2" color="textSecondary" sx={{ mr: 'auto' }}>
        {t('common.table.range', {
          from,
          to: Math.min(total, page * pageSize),
          total: total.toLocaleString('en-US'),
        })}
      </Typography>
      <Select
        value={pageSize}
        variant="standard"
        disableUnderline
        onChange={(event) => setPageSize(Number(event.target.value))}
        inputProps={{ 'aria-label': t('common.table.pageSize') }}
        sx={{ fontSize: 13, color: 'text.secondary' }}
      >
        {PAGE_SIZES.map((size) => (
          <MenuItem key={size} value={size}>
            {t('common.table.perPage', { size })}
          </MenuItem>
        ))}
      </Select>
      {/* Both arrows in one line, however narrow the screen is. */}
      <Box sx={{ display: 'flex', alignItems: 'center', gap: 'inherit' }}>
        <IconButton
          size="small"
          aria-label={t('common.table.previous')}
          disabled={page <= 1}
          onClick={() => setPage(page - 1)}
        >
          <ChevronLeftRounded />
        </IconButton>
        <Typography variant="body2">{t('common.table.pageOf', { page, pages })}</Typography>
        <IconButton
          size="small"
          aria-label={t('common.table.next')}
          disabled={page >= pages}
          onClick={() => setPage(page + 1)}
        >
          <ChevronRightRounded />
        </IconButton>
      </Box>
    </Box>
  );
}

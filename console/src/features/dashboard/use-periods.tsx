import Table from '@mui/material/Table';
import TableBody from '@mui/material/TableBody';
import TableCell from '@mui/material/TableCell';
import TableContainer from '@mui/material/TableContainer';
import TableHead from '@mui/material/TableHead';
import TableRow from '@mui/material/TableRow';
import { useTranslation } from 'react-i18next';
import { Quota } from '../../shared/value/quota';
import type { UseTable } from './use-sums';

interface UsePeriodsProps {
  label: string;
  table: UseTable;
  periodText: (seconds: number) => string;
}

/** The figures of the chart by time. */
export function UsePeriods({ label, table, periodText }: UsePeriodsProps) {
  const { t } = useTranslation();
  return (
    <TableContainer tabIndex={0} role="region" aria-label={label} sx={{ maxHeight: 420 }}>
      <Table size="small" stickyHeader aria-label={label}>
        <TableHead>
          <TableRow>
            <TableCell>{t('dashboard.use.time')}</TableCell>
            <TableCell align="right">{t('dashboard.measure.quota')}</TableCell>
            <TableCell align="right">{t('dashboard.measure.count')}</TableCell>
            <TableCell align="right">{t('dashboard.measure.token_used')}</TableCell>
          </TableRow>
        </TableHead>
        <TableBody>
          {table.periods.map((period, index) => {
            const sum = (of: 'quota' | 'count' | 'token_used') =>
              table.lines.reduce((total, line) => total + (line.periods[index]?.[of] ?? 0), 0);
            return (
              <TableRow key={period}>
                <TableCell>{periodText(period)}</TableCell>
                <TableCell align="right">
                  <Quota value={sum('quota')} />
                </TableCell>
                <TableCell align="right">{sum('count').toLocaleString('en-US')}</TableCell>
                <TableCell align="right">{sum('token_used').toLocaleString('en-US')}</TableCell>
              </TableRow>
            );
          })}
        </TableBody>
      </Table>
    </TableContainer>
  );
}

import Box from '@mui/material/Box';
import Link from '@mui/material/Link';
import Table from '@mui/material/Table';
import TableBody from '@mui/material/TableBody';
import TableCell from '@mui/material/TableCell';
import TableContainer from '@mui/material/TableContainer';
import TableHead from '@mui/material/TableHead';
import TableRow from '@mui/material/TableRow';
import { useTranslation } from 'react-i18next';
import { Link as RouterLink } from 'react-router';
import { BrandMark } from '../../shared/brand/brand-mark';
import { Quota } from '../../shared/value/quota';
import type { Measure, UseLine, UseTable as Sums } from './use-sums';

interface UseTableProps {
  label: string;
  firstHead: string;
  table: Sums;
  measure: Measure;
  /** The lines are models: each has the logo of its maker. */
  isOfModels: boolean;
  /** Address of the usage log with the calls of a line; undefined = none. */
  pathOf: (line: UseLine) => string | undefined;
}

/** The figures of the chart by name: what it cost, calls, tokens, and its share of what is looked at. */
export function UseTable({ label, firstHead, table, measure, isOfModels, pathOf }: UseTableProps) {
  const { t } = useTranslation();
  const whole = table.total[measure];
  return (
    <TableContainer tabIndex={0} role="region" aria-label={label} sx={{ maxHeight: 420 }}>
      <Table size="small" stickyHeader aria-label={label}>
        <TableHead>
          <TableRow>
            <TableCell>{firstHead}</TableCell>
            <TableCell align="right">{t('dashboard.measure.quota')}</TableCell>
            <TableCell align="right">{t('dashboard.measure.count')}</TableCell>
            <TableCell align="right">{t('dashboard.measure.token_used')}</TableCell>
            <TableCell align="right">{t('dashboard.use.share')}</TableCell>
          </TableRow>
        </TableHead>
        <TableBody>
          {table.lines.map((line) => (
            <TableRow key={line.name}>
              <TableCell sx={{ overflowWrap: 'anywhere' }}>
                <Box component="span" sx={{ display: 'inline-flex', gap: 0.75, alignItems: 'center' }}>
                  {isOfModels && <BrandMark name={line.name} sizePx={14} />}
                  <LineName line={line} path={pathOf(line)} />
                </Box>
              </TableCell>
              <TableCell align="right">
                <Quota value={line.quota} />
              </TableCell>
              <TableCell align="right">{line.count.toLocaleString('en-US')}</TableCell>
              <TableCell align="right">{line.token_used.toLocaleString('en-US')}</TableCell>
              <TableCell align="right">
                <Share part={whole === 0 ? 0 : line[measure] / whole} />
              </TableCell>
            </TableRow>
          ))}
        </TableBody>
      </Table>
    </TableContainer>
  );
}

function LineName({ line, path }: { line: UseLine; path: string | undefined }) {
  const { t } = useTranslation();
  if (path === undefined) return line.name;
  return (
    <Link component={RouterLink} to={path} aria-label={t('dashboard.use.callsOf', { name: line.name })}>
      {line.name}
    </Link>
  );
}

function Share({ part }: { part: number }) {
  return (
    <Box sx={{ display: 'inline-flex', gap: 1, alignItems: 'center', justifyContent: 'flex-end' }}>
      <Box
        aria-hidden
        sx={{
          display: { xs: 'none', sm: 'block' },
          width: 56,
          height: 6,
          borderRadius: 3,
          bgcolor: 'soft.neutral',
          overflow: 'hidden',
        }}
      >
        <Box sx={{ width: `${part * 100}%`, height: '100%', bgcolor: 'primary.main' }} />
      </Box>
      {`${(part * 100).toFixed(1)}%`}
    </Box>
  );
}

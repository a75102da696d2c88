import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Table from '@mui/material/Table';
import TableBody from '@mui/material/TableBody';
import TableCell from '@mui/material/TableCell';
import TableContainer from '@mui/material/TableContainer';
import TableHead from '@mui/material/TableHead';
import TableRow from '@mui/material/TableRow';
import Typography from '@mui/material/Typography';
import { useId, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Quota } from '../../shared/value/quota';

interface PriceSumsProps {
  title: string;
  heads: readonly string[];
  lines: readonly {
    readonly names: readonly string[];
    readonly calls: number;
    readonly before: number;
    readonly after: number;
  }[];
}

const FIRST_LINES = 8;
/** Decimals of the columns of money. */
const DIGITS = 4;

/** Sums by today's prices and by the new ones, one line a model or an account. */
export function PriceSums({ title, heads, lines }: PriceSumsProps) {
  const { t } = useTranslation();
  const id = useId();
  const [all, setAll] = useState(false);
  if (lines.length === 0) return null;
  const shown = all ? lines : lines.slice(0, FIRST_LINES);
  return (
    <Box sx={{ minWidth: 0 }}>
      <Typography id={id} variant="subtitle2" sx={{ mb: 0.5 }}>
        {title}
      </Typography>
      <TableContainer tabIndex={0} role="region" aria-labelledby={id}>
        <Table size="small" aria-labelledby={id}>
          <TableHead>
            <TableRow>
              {heads.map((head) => (
                <TableCell key={head}>{head}</TableCell>
              ))}
              <TableCell align="right">{t('prices.effect.calls')}</TableCell>
              <TableCell align="right">{t('prices.effect.before')}</TableCell>
              <TableCell align="right">{t('prices.effect.after')}</TableCell>
              <TableCell align="right">{t('prices.effect.difference')}</TableCell>
            </TableRow>
          </TableHead>
          <TableBody>
            {shown.map((line) => (
              <TableRow key={line.names.join('\n')}>
                {line.names.map((name, index) => (
                  <TableCell key={heads[index]} sx={{ overflowWrap: 'anywhere' }}>
                    {name}
                  </TableCell>
                ))}
                <TableCell align="right">{line.calls.toLocaleString('en-US')}</TableCell>
                <TableCell align="right">
                  <Quota value={line.before} digits={DIGITS} />
                </TableCell>
                <TableCell align="right">
                  <Quota value={line.after} digits={DIGITS} />
                </TableCell>
                <TableCell align="right">
                  <Quota value={line.after - line.before} signed digits={DIGITS} />
                </TableCell>
              </TableRow>
            ))}
          </TableBody>
        </Table>
      </TableContainer>
      {shown.length < lines.length && (
        <Button size="small" onClick={() => setAll(true)}>
          {t('prices.showMore', { count: lines.length - shown.length })}
        </Button>
      )}
    </Box>
  );
}

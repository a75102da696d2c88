import Box from '@mui/material/Box';
import MuiLink from '@mui/material/Link';
import Table from '@mui/material/Table';
import TableBody from '@mui/material/TableBody';
import TableCell from '@mui/material/TableCell';
import TableContainer from '@mui/material/TableContainer';
import TableHead from '@mui/material/TableHead';
import TableRow from '@mui/material/TableRow';
import TableSortLabel from '@mui/material/TableSortLabel';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { BrandMark } from '../../shared/brand/brand-mark';
import { digitsFor, fixedMoney } from '../../shared/format/money';
import { MONO } from '../../shared/format/mono';
import type { PeriodName } from './api';
import { timeText } from './channel-tables';
import type { LatencyOrder, LatencyRow, LatencySort } from './latency-rows';

/** Decimals of prices: as many as the finest of the table needs, within these. */
const PRICE_DIGITS = { least: 2, most: 6 } as const;

interface LatencyTableProps {
  rows: readonly LatencyRow[];
  period: PeriodName;
  order: LatencyOrder;
  onOrder: (by: LatencySort) => void;
}

/** Only the column in use has an arrow, and long headings take two lines: all columns fit beside the menu. */
const SORT_LABEL = {
  '&.Mui-active': { color: 'primary.main' },
  '&:not(.Mui-active) .MuiTableSortLabel-icon': { display: 'none' },
} as const;

/** On a phone each row is a card: model and channel above, figures in two columns with their names. */
const CARDS_ON_PHONES = {
  '@media (max-width: 600px)': {
    '& thead': { display: 'none' },
    '& tbody, & tr': { display: 'grid' },
    '& tr': {
      gridTemplateColumns: '1fr 1fr',
      columnGap: 1.5,
      py: 1,
      borderBottom: 1,
      borderColor: 'divider',
    },
    '& td': { display: 'block', border: 0, py: 0.5, textAlign: 'left' },
    '& td:first-of-type': { gridColumn: '1 / -1', fontWeight: 600, px: 1.25 },
    '& td:nth-of-type(2)': { gridColumn: '1 / -1' },
    '& td[data-label]::before': {
      content: 'attr(data-label)',
      display: 'block',
      color: 'text.secondary',
      fontSize: 12,
    },
  },
} as const;

/** A row for each model at each channel; every heading but the last one sorts. */
export function LatencyTable({ rows, period, order, onOrder }: LatencyTableProps) {
  const { t } = useTranslation();
  const heads: readonly (readonly [by: LatencySort, label: string])[] = [
    ['model', t('channels.page.model')],
    ['channel_name', t('channels.latency.channel')],
    ['attempts', t('channels.page.attempts')],
    ['first_token_p50_ms', `${t('channels.page.firstToken')} p50`],
    ['first_token_p95_ms', `${t('channels.page.firstToken')} p95`],
    ['duration_p50_ms', `${t('channels.page.duration')} p50`],
    ['duration_p95_ms', `${t('channels.page.duration')} p95`],
    ['tokens_per_second', t('channels.page.speed')],
    ['price_input', t('channels.latency.input')],
    ['price_output', t('channels.latency.output')],
  ];
  const priceText = priceTextOf(rows);
  const label = t('channels.latency.byChannel');
  return (
    <TableContainer
      tabIndex={0}
      role="region"
      aria-label={label}
      sx={{ '& th:first-of-type, & td:first-of-type': { pl: 2.5, minWidth: 160 } }}
    >
      <Table size="small" aria-label={label} sx={{ '& th, & td': { px: 1.25 }, ...CARDS_ON_PHONES }}>
        <TableHead>
          <TableRow>
            {heads.map(([by, text], index) => (
              <TableCell
                key={by}
                align={index < 2 ? 'left' : 'right'}
                sortDirection={order.by === by ? order.direction : false}
              >
                <TableSortLabel
                  active={order.by === by}
                  direction={order.by === by ? order.direction : 'asc'}
                  onClick={() => onOrder(by)}
                  sx={SORT_LABEL}
                >
                  {text}
                </TableSortLabel>
              </TableCell>
            ))}
            <TableCell align="right">{t('channels.latency.log')}</TableCell>
          </TableRow>
        </TableHead>
        <TableBody>
          {rows.map((row) => (
            <TableRow key={`${row.channel_id} ${row.model}`}>
              <TableCell sx={{ fontFamily: MONO, fontSize: 12.5, overflowWrap: 'anywhere' }}>
                <Box component="span" sx={{ display: 'inline-flex', gap: 0.75, alignItems: 'center' }}>
                  <BrandMark name={row.model} sizePx={14} />
                  {row.model}
                </Box>
              </TableCell>
              <TableCell>
                <MuiLink component={Link} to={`/channel/${row.channel_id}`}>
                  {row.channel_name === '' ? `#${row.channel_id}` : row.channel_name}
                </MuiLink>
              </TableCell>
              {[
                row.attempts.toLocaleString('en-US'),
                timeText(row.first_token_p50_ms),
                timeText(row.first_token_p95_ms),
                timeText(row.duration_p50_ms),
                timeText(row.duration_p95_ms),
                row.tokens_per_second === null ? '–' : row.tokens_per_second.toFixed(1),
                row.price_per_call === null
                  ? priceText(row.price_input)
                  : t('channels.latency.perCall', { price: priceText(row.price_per_call) }),
                priceText(row.price_output),
              ].map((text, index) => (
                <TableCell
                  key={index}
                  align="right"
                  data-label={heads[index + 2]?.[1]}
                  sx={{ whiteSpace: 'nowrap' }}
                >
                  {text}
                </TableCell>
              ))}
              <TableCell align="right">
                <MuiLink
                  component={Link}
                  to={logPath(row, period)}
                  aria-label={t('channels.latency.callsOf', {
                    model: row.model,
                    channel: row.channel_name === '' ? `#${row.channel_id}` : row.channel_name,
                  })}
                >
                  {t('channels.latency.calls')}
                </MuiLink>
              </TableCell>
            </TableRow>
          ))}
        </TableBody>
      </Table>
    </TableContainer>
  );
}

/** Dollars with the decimals that the finest price of the table needs; a dash where there is no price. */
function priceTextOf(rows: readonly LatencyRow[]): (dollars: number | null) => string {
  const prices = rows.flatMap(({ price_input: input, price_output: output, price_per_call: call }) =>
    [input, output, call].filter((price) => price !== null),
  );
  const digits = digitsFor(prices, PRICE_DIGITS.least, PRICE_DIGITS.most);
  return (dollars) => (dollars === null ? '–' : fixedMoney(dollars, digits));
}

/** Address of the log lines of a model at a channel. */
const logPath = ({ channel_id: channel, model }: LatencyRow, period: PeriodName): string =>
  `/log?${new URLSearchParams({ channel: String(channel), model_name: model, range: period }).toString()}`;

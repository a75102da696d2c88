import CloseRounded from '@mui/icons-material/CloseRounded';
import Box from '@mui/material/Box';
import Drawer from '@mui/material/Drawer';
import IconButton from '@mui/material/IconButton';
import Table from '@mui/material/Table';
import TableBody from '@mui/material/TableBody';
import TableCell from '@mui/material/TableCell';
import TableContainer from '@mui/material/TableContainer';
import TableHead from '@mui/material/TableHead';
import TableRow from '@mui/material/TableRow';
import Typography from '@mui/material/Typography';
import { useTranslation } from 'react-i18next';
import { CopyableText } from '../../shared/value/copyable';
import { Facts } from '../../shared/value/facts';
import type { PriceEntry, PriceList } from './api';
import { PriceTypeTag } from './pricing-columns';
import { formatPrice, priceIn, typeOf, type GroupPrice } from './prices';

interface PriceDrawerProps {
  /** Null = closed. */
  entry: PriceEntry | null;
  list: PriceList;
  onClose: () => void;
}

/** One model: what it costs in every group, and everything that is charged beside plain text. */
export function PriceDrawer({ entry, list, onClose }: PriceDrawerProps) {
  const { t } = useTranslation();
  return (
    <Drawer
      anchor="right"
      open={entry !== null}
      onClose={onClose}
      slotProps={{
        paper: {
          role: 'dialog',
          'aria-modal': true,
          'aria-labelledby': 'price-drawer-title',
          sx: { width: { xs: '100%', sm: 560 }, maxWidth: '100%' },
        },
      }}
    >
      <Box
        sx={{
          display: 'flex',
          gap: 2,
          px: 3,
          py: 2,
          borderBottom: 1,
          borderColor: 'divider',
          alignItems: 'center',
        }}
      >
        <Typography id="price-drawer-title" variant="h2" sx={{ flex: 1, overflowWrap: 'anywhere' }}>
          {entry?.model_name}
        </Typography>
        <IconButton aria-label={t('common.close')} onClick={onClose} size="small" edge="end">
          <CloseRounded />
        </IconButton>
      </Box>
      {entry !== null && (
        <Box sx={{ px: 3, py: 2.5, display: 'grid', gap: 3, overflowY: 'auto', minWidth: 0 }}>
          <About entry={entry} />
          <PricesByGroup entry={entry} list={list} />
          <Extras entry={entry} />
        </Box>
      )}
    </Drawer>
  );
}

function About({ entry }: { entry: PriceEntry }) {
  const { t } = useTranslation();
  return (
    <Facts
      facts={[
        [t('pricing.column.model'), <CopyableText key="model" text={entry.model_name} />],
        entry.vendor !== '' && [t('pricing.column.vendor'), entry.vendor],
        [t('pricing.column.type'), <PriceTypeTag key="type" entry={entry} />],
        entry.supported_endpoint_types.length > 0 && [
          t('pricing.endpoints'),
          entry.supported_endpoint_types.join(', '),
        ],
        typeOf(entry) === 'use' && [t('pricing.column.modelRatio'), entry.model_ratio],
        typeOf(entry) === 'use' && [t('pricing.column.completionRatio'), entry.completion_ratio],
      ]}
    />
  );
}

const PARTS = [
  'call',
  'input',
  'output',
  'cacheRead',
  'cacheWrite',
  'reasoning',
  'imageInput',
  'imageOutput',
  'audioInput',
  'audioOutput',
] as const satisfies readonly (keyof GroupPrice)[];

function PricesByGroup({ entry, list }: { entry: PriceEntry; list: PriceList }) {
  const { t } = useTranslation();
  const prices = entry.enable_groups.map((group) => ({
    group,
    ratio: list.groupRatio[group] ?? 1,
    price: priceIn(entry, list.groupRatio[group] ?? 1),
  }));
  const parts = PARTS.filter((part) => prices.some(({ price }) => price[part] !== undefined));
  return (
    <section aria-labelledby="price-groups">
      <Typography id="price-groups" variant="subtitle2" component="h3" sx={{ mb: 0.5 }}>
        {t('pricing.byGroup')}
      </Typography>
      <Typography variant="body2" color="textSecondary" sx={{ mb: 1 }}>
        {t(typeOf(entry) === 'call' ? 'pricing.unitCall' : 'pricing.unitTokens')}
      </Typography>
      <TableContainer tabIndex={0} role="region" aria-labelledby="price-groups">
        <Table size="small" sx={{ fontVariantNumeric: 'tabular-nums' }}>
          <TableHead>
            <TableRow>
              <TableCell />
              {prices.map(({ group, ratio }) => (
                <TableCell key={group} align="right">
                  {group} ×{ratio}
                </TableCell>
              ))}
            </TableRow>
          </TableHead>
          <TableBody>
            {parts.map((part) => (
              <TableRow key={part}>
                <TableCell component="th" scope="row">
                  {t(`pricing.part.${part}`)}
                </TableCell>
                {prices.map(({ group, price }) => (
                  <TableCell key={group} align="right">
                    {price[part] === undefined ? '–' : formatPrice(price[part])}
                  </TableCell>
                ))}
              </TableRow>
            ))}
          </TableBody>
        </Table>
      </TableContainer>
    </section>
  );
}

function Extras({ entry }: { entry: PriceEntry }) {
  const { t } = useTranslation();
  const tools = Object.entries(entry.tool_prices);
  return (
    <>
      {entry.long_context.length > 0 && (
        <section aria-labelledby="price-long">
          <Typography id="price-long" variant="subtitle2" component="h3" sx={{ mb: 1 }}>
            {t('pricing.longContext')}
          </Typography>
          <Facts
            facts={entry.long_context.map(
              ({ above, input, output }) =>
                [
                  t('pricing.above', { tokens: above.toLocaleString('en-US') }),
                  t('pricing.factors', { input, output }),
                ] as const,
            )}
          />
        </section>
      )}
      {tools.length > 0 && (
        <section aria-labelledby="price-tools">
          <Typography id="price-tools" variant="subtitle2" component="h3" sx={{ mb: 1 }}>
            {t('pricing.tools')}
          </Typography>
          <Facts facts={tools.map(([name, price]) => [name, formatPrice(price)] as const)} />
        </section>
      )}
    </>
  );
}

import Box from '@mui/material/Box';
import Table from '@mui/material/Table';
import TableBody from '@mui/material/TableBody';
import TableCell from '@mui/material/TableCell';
import TableContainer from '@mui/material/TableContainer';
import TableHead from '@mui/material/TableHead';
import TableRow from '@mui/material/TableRow';
import Typography from '@mui/material/Typography';
import { useId } from 'react';
import { useTranslation } from 'react-i18next';
import { ReadingDrawer } from '../../shared/dialog/reading-drawer';
import { useToolName } from '../../shared/money/use-tool-name';
import { CopyableText } from '../../shared/value/copyable';
import { Facts } from '../../shared/value/facts';
import type { PriceEntry, PriceList } from './api';
import { PriceTypeTag } from './pricing-columns';
import {
  factorIn,
  fallbackPrice,
  formatPrice,
  priceKindOf,
  priceIn,
  typeOf,
  type GroupPrice,
} from './prices';

interface PriceDrawerProps {
  /** Null = closed. */
  entry: PriceEntry | null;
  list: PriceList;
  onClose: () => void;
}

/** One model: what it costs in every group, and everything that is charged beside plain text. */
export function PriceDrawer({ entry, list, onClose }: PriceDrawerProps) {
  return (
    <ReadingDrawer open={entry !== null} onClose={onClose} title={entry?.model_name}>
      {entry !== null && (
        <Box sx={{ px: 3, py: 2.5, display: 'grid', gap: 3, overflowY: 'auto', minWidth: 0 }}>
          <About entry={entry} />
          {entry.is_price_unset ? (
            <NoPrice entry={entry} list={list} />
          ) : (
            <PricesByGroup entry={entry} list={list} />
          )}
          <Extras entry={entry} />
        </Box>
      )}
    </ReadingDrawer>
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
        priceKindOf(entry) === 'use' && [t('pricing.column.modelRatio'), entry.model_ratio],
        priceKindOf(entry) === 'use' && [t('pricing.column.completionRatio'), entry.completion_ratio],
        typeof entry.account_group_ratio === 'number' && [
          t('pricing.accountFactor'),
          `×${entry.account_group_ratio}`,
        ],
      ]}
    />
  );
}

/** A model without a price: the consequence for a call, in every group. */
function NoPrice({ entry, list }: { entry: PriceEntry; list: PriceList }) {
  const { t } = useTranslation();
  return (
    <section aria-labelledby="price-groups">
      <Typography id="price-groups" variant="subtitle2" component="h3" sx={{ mb: 0.5 }}>
        {t('pricing.type.unset')}
      </Typography>
      <Typography variant="body2" color="textSecondary" sx={{ mb: 1 }}>
        {t('pricing.unsetText')}
      </Typography>
      <Facts
        facts={entry.enable_groups.map((group) => [
          group,
          t('pricing.perMillion', {
            price: formatPrice(fallbackPrice(entry, list.groupRatio[group])),
          }),
        ])}
      />
    </section>
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
    ratio: factorIn(entry, list.groupRatio[group]),
    price: priceIn(entry, list.groupRatio[group]),
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
        <Table size="small">
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
  const toolName = useToolName();
  const tools = Object.entries(entry.tool_prices);
  return (
    <>
      <Extra
        title={t('pricing.longContext')}
        facts={entry.long_context.map(({ above, input, output }) => [
          t('pricing.above', { tokens: above.toLocaleString('en-US') }),
          t('pricing.factors', { input, output }),
        ])}
      />
      <Extra
        title={t('pricing.serviceTiers')}
        facts={Object.entries(entry.service_tiers ?? {}).map(([name, ratio]) => [name, `×${ratio}`])}
      />
      <Extra
        title={t('pricing.pictureFactors')}
        facts={(entry.picture_factors ?? []).map(({ name, ratio }) => [name, `×${ratio}`])}
      />
      <Extra
        title={t('pricing.tools')}
        facts={tools.map(([name, price]) => [toolName(name), formatPrice(price)])}
      />
    </>
  );
}

function Extra({ title, facts }: { title: string; facts: readonly (readonly [string, string])[] }) {
  const id = useId();
  if (facts.length === 0) return null;
  return (
    <section aria-labelledby={id}>
      <Typography id={id} variant="subtitle2" component="h3" sx={{ mb: 1 }}>
        {title}
      </Typography>
      <Facts facts={facts} />
    </section>
  );
}

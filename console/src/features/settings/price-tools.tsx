import DeleteOutlineRounded from '@mui/icons-material/DeleteOutlineRounded';
import Box from '@mui/material/Box';
import IconButton from '@mui/material/IconButton';
import Typography from '@mui/material/Typography';
import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { MONO } from '../../shared/format/mono';
import { Empty } from '../../shared/feedback/empty';
import { useToolName } from '../../shared/money/use-tool-name';
import type { Column } from '../../shared/table/columns';
import { DataTable } from '../../shared/table/data-table';
import { numberMap } from './api';
import { AddName } from './add-name';
import { FigureInput } from './figure-input';
import type { PriceDraft } from './price-draft';
import { useLocalPage } from './use-local-page';

const KEY = 'tool_price_setting.prices';

/** Prices of vendor-run tools per thousand uses. */
export function PriceTools({ draft }: { draft: PriceDraft }) {
  const { t } = useTranslation();
  const toolName = useToolName();
  const { texts, apply } = draft;
  const prices = useMemo(() => numberMap(texts[KEY]), [texts]);
  const tools = [...prices.keys()].toSorted();
  const { page } = useLocalPage(tools);
  const write = (tool: string, price: number | undefined) => {
    const next = new Map(prices);
    if (price === undefined) next.delete(tool);
    else next.set(tool, price);
    apply([{ key: KEY, value: JSON.stringify(Object.fromEntries(next)) }]);
  };
  const columns: Column<string>[] = [
    {
      id: 'tool',
      label: t('prices.tools.name'),
      choosable: false,
      card: 'title',
      render: (tool) => (
        <Box sx={{ overflowWrap: 'anywhere' }}>
          {toolName(tool) !== tool && <div>{toolName(tool)}</div>}
          <Box component="span" sx={{ fontFamily: MONO, fontSize: 12.5, color: 'text.secondary' }}>
            {tool}
          </Box>
        </Box>
      ),
    },
    {
      id: 'price',
      label: t('prices.tools.price'),
      card: 'line',
      render: (tool) => (
        <FigureInput
          value={prices.get(tool) ?? 0}
          label={t('prices.tools.priceOf', { name: toolName(tool) })}
          unit="$"
          onChange={(price) => write(tool, price)}
        />
      ),
    },
  ];
  return (
    <>
      <Typography variant="body2" color="textSecondary" sx={{ px: 2.5, pt: 1.5 }}>
        {t('prices.ToolPrices.help')}
      </Typography>
      <AddName
        label={t('prices.tools.name')}
        action={t('prices.tools.add')}
        isTaken={(typed) => tools.includes(typed)}
        onAdd={(name) => write(name, 0)}
      />
      <DataTable
        name="price-tools"
        label={t('prices.tools.title')}
        columns={columns}
        {...page}
        rowId={(tool) => tool}
        rowName={toolName}
        actions={(tool) => (
          <IconButton
            size="small"
            aria-label={t('prices.tools.remove', { name: toolName(tool) })}
            onClick={() => write(tool, undefined)}
          >
            <DeleteOutlineRounded sx={{ fontSize: 18 }} />
          </IconButton>
        )}
        empty={<Empty title={t('prices.tools.none')} />}
        failedTitle={t('settings.loadFailed')}
      />
    </>
  );
}

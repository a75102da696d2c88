import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Table from '@mui/material/Table';
import TableBody from '@mui/material/TableBody';
import TableCell from '@mui/material/TableCell';
import TableHead from '@mui/material/TableHead';
import TableRow from '@mui/material/TableRow';
import Typography from '@mui/material/Typography';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { parseJson } from '../../shared/format/json';
import { useShowsRatios } from '../../shared/money/ratios';
import { MONO } from '../../shared/format/mono';
import { entryLines } from './entry-text';
import type { DocumentChange, EntryChange } from './price-difference';
import { isInMoney, moneyOfEntry, type RatiosBeside } from './money-entries';
import { priceDocument } from './price-documents';

const FIRST_ENTRIES = 8;

interface ChangeListProps {
  changes: readonly DocumentChange[];
  /** Model ratios, where they are known: factors of them become money. */
  beside?: RatiosBeside;
}

/** The figures of an entry as dollars; a factor whose price is not known reads `×4`. */
function inMoney(key: string, entry: EntryChange, beside: RatiosBeside | undefined): EntryChange {
  const text = (value: string | null, ratios: ReadonlyMap<string, number> | undefined) => {
    const figure = value === null ? undefined : parseJson(value);
    if (typeof figure !== 'number' || !isInMoney(key)) return value;
    return moneyOfEntry(key, figure, ratios?.get(entry.name)) ?? `×${figure}`;
  };
  return { ...entry, before: text(entry.before, beside?.before), after: text(entry.after, beside?.after) };
}

/** Changes, document by document: before, after. */
export function PriceChangeList({ changes, beside }: ChangeListProps) {
  return (
    <Box sx={{ display: 'grid', gap: 2, minWidth: 0 }}>
      {changes.map((change) => (
        <DocumentPart key={change.key} change={change} beside={beside} />
      ))}
    </Box>
  );
}

function DocumentPart({ change, beside }: { change: DocumentChange; beside: RatiosBeside | undefined }) {
  const { t } = useTranslation();
  const ratios = useShowsRatios();
  const [all, setAll] = useState(false);
  const known = priceDocument(change.key);
  const title =
    known === undefined
      ? change.key
      : !ratios && isInMoney(known.name)
        ? t(`prices.money.${known.name}`)
        : t(`prices.${known.name}.label`);
  const shown = all ? change.entries : change.entries.slice(0, FIRST_ENTRIES);
  const hidden = change.entries.length - shown.length;
  return (
    <Box sx={{ minWidth: 0 }}>
      <Table size="small" aria-label={title} sx={{ tableLayout: 'fixed' }}>
        <TableHead>
          <TableRow>
            <TableCell sx={{ width: '50%', pl: 0 }}>
              {title} · {t('prices.entries', { count: change.entries.length })}
            </TableCell>
            <TableCell align="right">{t('prices.was')}</TableCell>
            <TableCell align="right" sx={{ pr: 0 }}>
              {t('prices.becomes')}
            </TableCell>
          </TableRow>
        </TableHead>
        <TableBody>
          {shown.map((entry) => (
            <EntryRow key={entry.name} entry={ratios ? entry : inMoney(change.key, entry, beside)} />
          ))}
        </TableBody>
      </Table>
      {hidden > 0 && (
        <Button size="small" onClick={() => setAll(true)}>
          {t('prices.showMore', { count: hidden })}
        </Button>
      )}
    </Box>
  );
}

function EntryRow({ entry }: { entry: EntryChange }) {
  const { t } = useTranslation();
  const nothing = (
    <Typography component="span" variant="body2" color="textSecondary">
      {t('prices.noEntry')}
    </Typography>
  );
  const cell = { fontFamily: MONO, fontSize: 12.5, overflowWrap: 'anywhere' } as const;
  return (
    <TableRow>
      <TableCell sx={{ ...cell, pl: 0 }}>{entry.name === '' ? t('prices.wholeValue') : entry.name}</TableCell>
      <TableCell align="right" sx={{ ...cell, color: 'text.secondary' }}>
        {entry.before === null ? nothing : <Value text={entry.before} />}
      </TableCell>
      <TableCell align="right" sx={{ ...cell, pr: 0, fontWeight: 600 }}>
        {entry.after === null ? nothing : <Value text={entry.after} />}
      </TableCell>
    </TableRow>
  );
}

/** @param text  JSON, or the text of an option that is none */
function Value({ text }: { text: string }) {
  const { t } = useTranslation();
  const value = parseJson(text);
  const lines = typeof value === 'object' && value !== null ? entryLines(value, t) : [text];
  return lines.map((line) => <div key={line}>{line}</div>);
}

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
import { MONO } from '../../shared/format/mono';
import { entryLines } from './entry-text';
import type { DocumentChange, EntryChange } from './price-difference';
import { priceDocument } from './price-documents';

const FIRST_ENTRIES = 8;

/** What changes, document by document: was, becomes. */
export function PriceChangeList({ changes }: { changes: readonly DocumentChange[] }) {
  return (
    <Box sx={{ display: 'grid', gap: 2, minWidth: 0 }}>
      {changes.map((change) => (
        <DocumentPart key={change.key} change={change} />
      ))}
    </Box>
  );
}

function DocumentPart({ change }: { change: DocumentChange }) {
  const { t } = useTranslation();
  const [all, setAll] = useState(false);
  const known = priceDocument(change.key);
  const title = known === undefined ? change.key : t(`prices.${known.name}.label`);
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
            <EntryRow key={entry.name} entry={entry} />
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

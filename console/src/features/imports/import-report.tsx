import Alert from '@mui/material/Alert';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Checkbox from '@mui/material/Checkbox';
import FormControlLabel from '@mui/material/FormControlLabel';
import Typography from '@mui/material/Typography';
import type { ParseKeys } from 'i18next';
import { useState, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { Section } from '../../shared/page/section';
import { SmallTable } from '../../shared/table/small-table';
import type { ImportReport as Report } from './api';

/** Pixels of a table; a longer one scrolls. */
const TABLE_HEIGHT = 360;
/** Notes of one kind that are shown at first. */
const SHOWN = 10;

interface ImportReportProps {
  report: Report;
  /** Sections of settings that are taken; null = all in an empty installation, else none. */
  sections: ReadonlySet<string> | null;
  isEmpty: boolean;
  /** Absent = the settings were decided. */
  onSections: ((sections: ReadonlySet<string>) => void) | undefined;
}

/** The report of a run: first what needs an act, then counts, sums and settings. */
export function ImportReport({ report, sections, isEmpty, onSections }: ImportReportProps) {
  const { t } = useTranslation();
  const kinds = [...new Set(report.notes.map(({ kind }) => kind))];
  const { taken, refused, unknown } = report.options;
  return (
    <Section title={`${t('imports.report.title')}: ${report.product} ${report.version}`}>
      <Box sx={{ display: 'grid', gap: 2.5, '& > *': { minWidth: 0 } }}>
        {report.warnings.map((warning) => (
          <Alert key={warning} severity="warning">
            {warning}
          </Alert>
        ))}
        {kinds.length === 0 && <Typography variant="body2">{t('imports.report.nothing')}</Typography>}
        {kinds.map((kind) => (
          <Notes key={kind} kind={kind} notes={report.notes.filter((note) => note.kind === kind)} />
        ))}
        {report.further_notes > 0 && (
          <Typography variant="body2">
            {t('imports.report.further', { count: report.further_notes })}
          </Typography>
        )}
        <SmallTable
          maxHeight={TABLE_HEIGHT}
          label={t('imports.report.counts')}
          heads={[
            t('imports.report.counts'),
            t('imports.report.found'),
            t('imports.report.added'),
            t('imports.report.unchanged'),
            t('imports.report.moved'),
            t('imports.report.leftOut'),
          ]}
          rows={report.counts.map((row) => ({
            id: row.kind,
            cells: [
              t(`imports.part.${row.kind}` as ParseKeys),
              row.found,
              row.added,
              row.unchanged,
              row.moved,
              row.left_out,
            ],
          }))}
        />
        {report.sums.length > 0 && (
          <SmallTable
            maxHeight={TABLE_HEIGHT}
            label={t('imports.report.sums')}
            heads={[t('imports.report.sum'), t('imports.report.there'), t('imports.report.here'), '']}
            textColumns={[0, 3]}
            rows={report.sums.flatMap((sum) => [
              {
                id: sum.name,
                cells: [
                  sum.name,
                  sum.source,
                  sum.here,
                  t(sum.is_equal ? 'imports.report.equal' : 'imports.report.differs'),
                ],
              },
              ...sum.explained.map(({ why, amount }) => ({
                id: `${sum.name} ${why}`,
                cells: [`– ${why}`, amount, '', ''],
              })),
            ])}
          />
        )}
        {report.options.differences.length > 0 && (
          <Differences
            differences={report.options.differences}
            sections={sections}
            isEmpty={isEmpty}
            onSections={onSections}
          />
        )}
        <Lines>
          {taken.length > 0 && t('imports.report.taken', { keys: taken.join(', ') })}
          {refused.length > 0 && t('imports.report.refused', { keys: refused.join('; ') })}
          {unknown.length > 0 && t('imports.report.unknown', { keys: unknown.join(', ') })}
        </Lines>
        {report.numbers.length > 0 && (
          <Notes
            kind="numbers"
            notes={report.numbers.map(({ kind, from, to }) => ({
              table: '',
              id: '',
              sentence: t('imports.report.number', {
                kind: t(`imports.part.${kind}` as ParseKeys),
                from,
                to,
              }),
            }))}
          />
        )}
      </Box>
    </Section>
  );
}

interface NotesProps {
  kind: string;
  notes: readonly { readonly table: string; readonly id: string; readonly sentence: string }[];
}

function Notes({ kind, notes }: NotesProps) {
  const { t } = useTranslation();
  const [all, setAll] = useState(false);
  const title =
    kind === 'numbers' ? t('imports.report.numbers') : t(`imports.report.note.${kind}` as ParseKeys);
  return (
    <Box>
      <Typography variant="subtitle2">{`${title} (${notes.length})`}</Typography>
      <Box component="ul" sx={{ m: 0, pl: 2.5, overflowWrap: 'anywhere' }}>
        {notes.slice(0, all ? notes.length : SHOWN).map(({ table, id, sentence }, index) => (
          <Typography component="li" variant="body2" key={`${index} ${table} ${id}`}>
            {[table, id].filter(Boolean).join(' ')}
            {table === '' ? '' : ': '}
            {sentence}
          </Typography>
        ))}
      </Box>
      {!all && notes.length > SHOWN && (
        <Button size="small" onClick={() => setAll(true)}>
          {t('imports.report.more', { count: notes.length })}
        </Button>
      )}
    </Box>
  );
}

function Lines({ children }: { children: readonly ReactNode[] }) {
  const lines = children.filter(Boolean);
  if (lines.length === 0) return null;
  return (
    <Box>
      {lines.map((line, index) => (
        <Typography key={index} variant="body2" sx={{ overflowWrap: 'anywhere' }}>
          {line}
        </Typography>
      ))}
    </Box>
  );
}

interface DifferencesProps extends Pick<ImportReportProps, 'sections' | 'isEmpty' | 'onSections'> {
  differences: Report['options']['differences'];
}

function Differences({ differences, sections, isEmpty, onSections }: DifferencesProps) {
  const { t } = useTranslation();
  const names = [...new Set(differences.map(({ section }) => section))].sort();
  const ticked = sections ?? new Set<string>(isEmpty ? names : []);
  const toggle = (section: string) => {
    const next = new Set(ticked);
    if (!next.delete(section)) next.add(section);
    onSections?.(next);
  };
  const shown = (text: string | null) => text ?? t('imports.report.secret');
  return (
    <Box>
      <Typography variant="subtitle2">{t('imports.report.differences')}</Typography>
      {onSections !== undefined && (
        <>
          <Typography variant="body2" color="textSecondary">
            {t('imports.report.differencesHelp')}
          </Typography>
          <Box sx={{ display: 'flex', flexWrap: 'wrap', columnGap: 1 }}>
            {names.map((section) => (
              <FormControlLabel
                key={section}
                label={t(`imports.section.${section}`)}
                control={
                  <Checkbox size="small" checked={ticked.has(section)} onChange={() => toggle(section)} />
                }
              />
            ))}
          </Box>
        </>
      )}
      <SmallTable
        maxHeight={TABLE_HEIGHT}
        label={t('imports.report.differences')}
        heads={['', t('imports.report.there'), t('imports.report.here')]}
        textColumns={[0, 1, 2]}
        rows={differences.map(({ key, here, there }) => ({
          id: key,
          cells: [key, shown(there), shown(here)],
        }))}
      />
    </Box>
  );
}

import CheckRounded from '@mui/icons-material/CheckRounded';
import ErrorOutlineRounded from '@mui/icons-material/ErrorOutlineRounded';
import Box from '@mui/material/Box';
import Typography from '@mui/material/Typography';
import { useTranslation } from 'react-i18next';
import { markOf } from './key-vendors';
import { LetterMark } from './letter-mark';
import type { CheckedRow } from './many-check';
import type { ManyResult } from './use-add-many';

/** Models written out in a row. */
const NAMED_MODELS = 3;
/** Shorter keys show nothing of themselves. */
const SHORTEST_SHOWN_KEY = 16;
const SHOWN_KEY_CHARACTERS = 4;

interface ManyRowsProps {
  rows: readonly CheckedRow[];
  /** Rows that the run in progress has added. */
  added: ManyResult['added'] | undefined;
  /** Why rows were refused, by the run in progress or the last one. */
  failed: ManyResult['failed'] | undefined;
}

/** Pasted rows as they would be saved, each with its faults; rows that cannot be saved come first. */
export function ManyRows({ rows, added, failed }: ManyRowsProps) {
  const { t } = useTranslation();
  const isFaulty = ({ faults }: CheckedRow) => faults.length > 0;
  const shown = [...rows.filter(isFaulty), ...rows.filter((row) => !isFaulty(row))];
  return (
    <Box
      component="ul"
      aria-label={t('manyChannels.preview')}
      tabIndex={0}
      sx={{
        listStyle: 'none',
        m: 0,
        p: 0,
        maxHeight: 360,
        overflowY: 'auto',
        border: 1,
        borderColor: 'divider',
        borderRadius: '8px',
      }}
    >
      {shown.map((checked) => (
        <ManyRow
          key={checked.row.number}
          checked={checked}
          isAdded={added?.has(checked.row.number) === true}
          failure={failed?.get(checked.row.number)}
        />
      ))}
    </Box>
  );
}

interface ManyRowProps {
  checked: CheckedRow;
  isAdded: boolean;
  failure: string | undefined;
}

function ManyRow({ checked, isAdded, failure }: ManyRowProps) {
  const { t } = useTranslation();
  const { row, vendor, host, values, faults, hasUsualModels } = checked;
  const all = failure === undefined ? faults : [...faults, failure];
  const { length: count } = values.models;
  const models = values.models.slice(0, NAMED_MODELS).join(', ');
  const details = [
    vendor?.name ?? '',
    host,
    t('manyChannels.key', { hint: hintOf(values.key) }),
    count === 0
      ? ''
      : t(hasUsualModels ? 'manyChannels.usualModels' : 'manyChannels.models', { count, models }),
    values.priority === 0 || Number.isNaN(values.priority)
      ? ''
      : t('manyChannels.priority', { priority: values.priority }),
    values.weight === 0 || Number.isNaN(values.weight)
      ? ''
      : t('manyChannels.weight', { weight: values.weight }),
    values.groups.join() === 'default' ? '' : t('manyChannels.groups', { groups: values.groups.join(', ') }),
  ].filter((detail) => detail !== '');
  return (
    <Box
      component="li"
      sx={{
        display: 'flex',
        gap: 1.25,
        alignItems: 'flex-start',
        px: 1.5,
        py: 0.75,
        '& + &': { borderTop: 1, borderColor: 'divider' },
      }}
    >
      <Typography
        variant="body2"
        color="textSecondary"
        component="span"
        sx={{ minWidth: 24, textAlign: 'right' }}
      >
        {row.number}
      </Typography>
      <LetterMark letters={vendor?.preset?.mark ?? markOf(vendor?.name ?? '?')} name={vendor?.name} />
      <Box sx={{ flex: 1, minWidth: 0, overflowWrap: 'anywhere' }}>
        <Typography variant="subtitle2" component="span">
          {values.name === '' ? t('manyChannels.noName') : values.name}
        </Typography>
        <Typography variant="body2" color="textSecondary" component="div">
          {details.join(' · ')}
        </Typography>
        {all.map((fault) => (
          <Typography
            key={fault}
            variant="body2"
            color="error"
            component="div"
            sx={{ display: 'flex', gap: 0.5, alignItems: 'flex-start' }}
          >
            <ErrorOutlineRounded fontSize="small" aria-hidden />
            <span>{fault}</span>
          </Typography>
        ))}
      </Box>
      {isAdded && (
        <Typography
          variant="body2"
          component="span"
          sx={{ display: 'flex', gap: 0.5, alignItems: 'center', color: 'success.main' }}
        >
          <CheckRounded fontSize="small" aria-hidden />
          {t('manyChannels.rowAdded')}
        </Typography>
      )}
    </Box>
  );
}

/** The end of a key that is long enough to keep its secret. */
const hintOf = (key: string): string =>
  key.length < SHORTEST_SHOWN_KEY ? '…' : `…${key.slice(-SHOWN_KEY_CHARACTERS)}`;

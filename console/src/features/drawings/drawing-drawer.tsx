import Box from '@mui/material/Box';
import Typography from '@mui/material/Typography';
import { useTranslation } from 'react-i18next';
import { ReadingDrawer } from '../../shared/dialog/reading-drawer';
import type { Column } from '../../shared/table/columns';
import { CopyButton } from '../../shared/value/copyable';
import { Facts } from '../../shared/value/facts';
import type { Drawing } from './api';
import { TEXT_COLUMNS } from './drawing-columns';

interface DrawingDrawerProps {
  /** Null = closed. */
  drawing: Drawing | null;
  columns: readonly Column<Drawing>[];
  onClose: () => void;
}

/** One drawing in full: the facts of its row, and its whole texts. */
export function DrawingDrawer({ drawing, columns, onClose }: DrawingDrawerProps) {
  const { t } = useTranslation();
  return (
    <ReadingDrawer
      open={drawing !== null}
      onClose={onClose}
      title={
        drawing !== null && t('drawings.drawer', { id: drawing.mj_id === '' ? drawing.id : drawing.mj_id })
      }
    >
      {drawing !== null && <DrawingBody drawing={drawing} columns={columns} />}
    </ReadingDrawer>
  );
}

function DrawingBody({ drawing, columns }: { drawing: Drawing; columns: readonly Column<Drawing>[] }) {
  const { t } = useTranslation();
  const facts = columns.filter(({ id }) => !Object.hasOwn(TEXT_COLUMNS, id));
  const texts = columns.filter(({ id }) => Object.hasOwn(TEXT_COLUMNS, id));
  return (
    <Box sx={{ px: 3, py: 2.5, display: 'grid', gap: 3, overflowY: 'auto', minWidth: 0 }}>
      <Facts
        facts={facts.map(({ label, render }) => {
          const value = render(drawing);
          return value !== null && ([label, value] as const);
        })}
      />
      {texts.map(({ id, label }) => {
        const text = drawing[TEXT_COLUMNS[id as keyof typeof TEXT_COLUMNS]];
        if (text === '') return null;
        return (
          <section key={id} aria-labelledby={`drawing-${id}`}>
            <Box sx={{ display: 'flex', alignItems: 'center', justifyContent: 'space-between' }}>
              <Typography id={`drawing-${id}`} variant="subtitle2" component="h3">
                {label}
              </Typography>
              <CopyButton text={text} label={t('common.copyNamed', { name: label })} />
            </Box>
            <Typography variant="body2" sx={{ whiteSpace: 'pre-wrap', overflowWrap: 'anywhere' }}>
              {text}
            </Typography>
          </section>
        );
      })}
    </Box>
  );
}

import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Typography from '@mui/material/Typography';
import { useTranslation } from 'react-i18next';
import { useConfirm } from '../../shared/dialog/confirm';
import { formatSeconds } from '../../shared/format/timestamp';
import { useFreshly } from '../../shared/identity/step-up';
import { Section } from '../../shared/page/section';
import { type ImportState, useUndoImport } from './api';

interface ImportListProps {
  imports: ImportState['imports'];
  isRunning: boolean;
}

/** Every source that was imported, from the console or the command line. */
export function ImportList({ imports, isRunning }: ImportListProps) {
  const { t } = useTranslation();
  const confirm = useConfirm();
  const freshly = useFreshly();
  const undo = useUndoImport();
  const takeBack = async (id: number) => {
    const yes = await confirm({
      title: t('imports.act.undoConfirm', { id }),
      consequence: t('imports.act.undoText'),
      action: t('imports.act.undo'),
      danger: true,
    });
    // A failure shows as a toast.
    if (yes) await freshly(() => undo.mutateAsync(id)).catch(() => undefined);
  };
  return (
    <Section title={t('imports.list.title')}>
      {imports.length === 0 && <Typography variant="body2">{t('imports.list.none')}</Typography>}
      <Box component="ul" sx={{ m: 0, p: 0, listStyle: 'none', display: 'grid', gap: 1 }}>
        {imports.map(({ id, product, version, status, runs, created_at: first }) => (
          <Box
            component="li"
            key={id}
            sx={{ display: 'flex', flexWrap: 'wrap', alignItems: 'center', gap: 1 }}
          >
            <Typography variant="body2" sx={{ flex: '1 1 240px' }}>
              {`${id}: ${product} ${version}`}
            </Typography>
            <Typography variant="body2" color="textSecondary">
              {`${t(`imports.list.state.${status}`)} · ${t('imports.list.first')} ${formatSeconds(first)} · ${t('imports.list.runs')} ${runs}`}
            </Typography>
            {status !== 'undone' && (
              <Button
                size="small"
                color="error"
                disabled={isRunning}
                aria-label={t('imports.act.undoNamed', { id })}
                onClick={() => void takeBack(id)}
              >
                {t('imports.act.undo')}
              </Button>
            )}
          </Box>
        ))}
      </Box>
    </Section>
  );
}

import ViewColumnRounded from '@mui/icons-material/ViewColumnRounded';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Checkbox from '@mui/material/Checkbox';
import FormControlLabel from '@mui/material/FormControlLabel';
import IconButton from '@mui/material/IconButton';
import Popover from '@mui/material/Popover';
import Typography from '@mui/material/Typography';
import { useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Tip } from '../feedback/tip';
import { storedColumns, storedDensity } from '../browser/stored';
import { useStored } from '../browser/use-stored';
import { isChosen, type Column } from './columns';

interface ColumnChooserProps<T> {
  /** Name the choice is saved under. */
  table: string;
  columns: readonly Column<T>[];
}

/** Which columns a table shows and how tall its rows are; both remembered. */
export function ColumnChooser<T>({ table, columns }: ColumnChooserProps<T>) {
  const { t } = useTranslation();
  const stored = useMemo(() => storedColumns(table), [table]);
  const choice = useStored(stored);
  const density = useStored(storedDensity);
  const [anchor, setAnchor] = useState<HTMLElement | null>(null);
  const set = (id: string, shown: boolean) => stored.write({ ...choice, [id]: shown });
  return (
    <>
      <Tip title={t('common.table.columns')}>
        <IconButton
          aria-label={t('common.table.columns')}
          aria-haspopup="dialog"
          onClick={(event) => setAnchor(event.currentTarget)}
          size="small"
        >
          <ViewColumnRounded fontSize="small" />
        </IconButton>
      </Tip>
      <Popover
        open={anchor !== null}
        anchorEl={anchor}
        onClose={() => setAnchor(null)}
        anchorOrigin={{ vertical: 'bottom', horizontal: 'right' }}
        transformOrigin={{ vertical: 'top', horizontal: 'right' }}
        slotProps={{ paper: { role: 'dialog', 'aria-label': t('common.table.columns') } }}
      >
        <Box sx={{ p: 2, width: 240 }}>
          <Box sx={{ display: 'flex', alignItems: 'center', justifyContent: 'space-between', mb: 0.5 }}>
            <Typography variant="subtitle2">{t('common.table.columns')}</Typography>
            <Button size="small" onClick={() => stored.clear()}>
              {t('common.table.reset')}
            </Button>
          </Box>
          <Box sx={{ display: 'grid', maxHeight: 320, overflowY: 'auto' }}>
            {columns
              .filter((column) => column.choosable !== false)
              .map((column) => (
                <FormControlLabel
                  key={column.id}
                  sx={{ m: 0 }}
                  label={<Typography variant="body2">{column.label}</Typography>}
                  control={
                    <Checkbox
                      checked={isChosen(column, choice)}
                      onChange={(_event, checked) => set(column.id, checked)}
                    />
                  }
                />
              ))}
          </Box>
          <Typography variant="subtitle2" sx={{ mt: 1.5, mb: 0.5 }}>
            {t('common.table.rows')}
          </Typography>
          <Box sx={{ display: 'flex', gap: 0.5 }}>
            {(['compact', 'comfortable'] as const).map((each) => (
              <Button
                key={each}
                size="small"
                variant={density === each ? 'contained' : 'outlined'}
                aria-pressed={density === each}
                onClick={() => storedDensity.write(each)}
              >
                {t(`common.table.${each}`)}
              </Button>
            ))}
          </Box>
        </Box>
      </Popover>
    </>
  );
}

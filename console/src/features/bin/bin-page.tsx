import Box from '@mui/material/Box';
import Paper from '@mui/material/Paper';
import Tab from '@mui/material/Tab';
import Tabs from '@mui/material/Tabs';
import { useTranslation } from 'react-i18next';
import { useSearchParams } from 'react-router';
import { PageHeader } from '../../shared/page/page-header';
import { SECTIONS, type Section } from './api';
import { BinList } from './bin-list';

/** Deleted rows that can be restored for 30 days, or deleted for good; root. The section stands in the address. */
export function BinPage() {
  const { t } = useTranslation();
  const [search, setSearch] = useSearchParams();
  const shown = SECTIONS.find((section) => section === search.get('section')) ?? 'channel';
  return (
    <>
      <PageHeader title={t('bin.title')} explanation={t('bin.lead')} />
      <Paper variant="outlined" sx={{ overflow: 'hidden', minWidth: 0 }}>
        <Tabs
          value={shown}
          onChange={(_event, next: Section) => setSearch({ section: next })}
          variant="scrollable"
          aria-label={t('bin.sections')}
          sx={{ px: 2.5, borderBottom: 1, borderColor: 'divider' }}
        >
          {SECTIONS.map((section) => (
            <Tab
              key={section}
              value={section}
              id={`bin-tab-${section}`}
              aria-controls="bin-panel"
              label={t(`bin.section.${section}`)}
            />
          ))}
        </Tabs>
        <Box id="bin-panel" role="tabpanel" aria-labelledby={`bin-tab-${shown}`}>
          <BinList key={shown} section={shown} />
        </Box>
      </Paper>
    </>
  );
}

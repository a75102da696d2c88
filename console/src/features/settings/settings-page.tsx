import Box from '@mui/material/Box';
import Tab from '@mui/material/Tab';
import Tabs from '@mui/material/Tabs';
import { useQuery } from '@tanstack/react-query';
import { Suspense, useEffect } from 'react';
import { useTranslation } from 'react-i18next';
import { useSearchParams } from 'react-router';
import { loadTexts } from '../../i18n';
import { Failed } from '../../shared/feedback/failed';
import { lazyPart } from '../../shared/feedback/lazy-part';
import { Loading } from '../../shared/feedback/loading';
import { PageHeader } from '../../shared/page/page-header';
import { optionsQuery } from './api';
import { TABS, type TabId } from './option-field-types';
import { OptionsToLookAt } from './options-to-look-at';

const loadTabBody = async () => (await Promise.all([import('./tab-body'), loadTexts('prices')]))[0].TabBody;
// Fetched beside the values it shows.
void loadTabBody().catch(() => undefined);
const TabBody = lazyPart(loadTabBody);

export function SettingsPage() {
  const { t } = useTranslation();
  const [search, setSearch] = useSearchParams();
  const asked = search.get('tab');
  const tab = TABS.find((known) => known === asked) ?? 'operation';
  // An address that names no tab is put right, for who passes it on.
  useEffect(() => {
    if (asked !== null && asked !== tab) setSearch({ tab }, { replace: true });
  }, [asked, tab, setSearch]);
  const { data, error, isError, refetch } = useQuery(optionsQuery);
  return (
    <>
      <PageHeader title={t('settings.title')} explanation={t('settings.lead')} />
      <OptionsToLookAt />
      <Tabs
        value={tab}
        onChange={(_event, next: TabId) => setSearch({ tab: next })}
        variant="scrollable"
        aria-label={t('settings.tabs')}
        sx={{ mb: 2.5, borderBottom: 1, borderColor: 'divider' }}
      >
        {TABS.map((each) => (
          <Tab
            key={each}
            value={each}
            label={t(`settings.tab.${each}`)}
            id={`settings-tab-${each}`}
            aria-controls="settings-panel"
          />
        ))}
      </Tabs>
      <Box id="settings-panel" role="tabpanel" aria-labelledby={`settings-tab-${tab}`}>
        {data !== undefined ? (
          <Suspense fallback={<Loading />}>
            <TabBody key={tab} tab={tab} texts={data} />
          </Suspense>
        ) : isError ? (
          <Failed title={t('settings.loadFailed')} error={error} onRetry={() => void refetch()} />
        ) : (
          <Loading />
        )}
      </Box>
    </>
  );
}

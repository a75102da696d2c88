import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Tab from '@mui/material/Tab';
import Tabs from '@mui/material/Tabs';
import { useQuery } from '@tanstack/react-query';
import { Suspense, useEffect } from 'react';
import { useTranslation } from 'react-i18next';
import { Link, useSearchParams } from 'react-router';
import { isRoot, useCurrentUser } from '../../api/current-user';
import { loadTexts } from '../../i18n';
import { Failed } from '../../shared/feedback/failed';
import { lazyPart } from '../../shared/feedback/lazy-part';
import { Loading } from '../../shared/feedback/loading';
import { PageHeader } from '../../shared/page/page-header';
import { optionFieldsQuery, optionsQuery } from './api';
import { type OptionField, TABS, type TabId } from './option-field-types';
import { OptionsToLookAt } from './options-to-look-at';

// One file for both pages: each address of the console costs the sign-in page as little as that.
export { PricesPage } from './prices-page';

const loadBody = async () => (await Promise.all([import('./tab-body'), loadTexts('prices')]))[0];
const loadTabBody = async () => (await loadBody()).TabBody;
// Fetched beside the values it shows.
void loadTabBody().catch(() => undefined);
const TabBody = lazyPart(loadTabBody);
const SettingsSearch = lazyPart(async () => (await loadBody()).SettingsSearch);

const NO_FIELDS: readonly OptionField[] = [];

export function SettingsPage() {
  const { t } = useTranslation();
  const isOwner = isRoot(useCurrentUser());
  const [search, setSearch] = useSearchParams();
  const asked = search.get('tab');
  const tab = TABS.find((known) => known === asked) ?? 'operation';
  // An address that names no tab is put right, for who passes it on.
  useEffect(() => {
    if (asked !== null && asked !== tab) setSearch({ tab }, { replace: true });
  }, [asked, tab, setSearch]);
  const { data, error, isError, refetch } = useQuery(optionsQuery);
  const fields = useQuery(optionFieldsQuery);
  const failed = isError ? { error, refetch } : fields.isError ? fields : undefined;
  return (
    <>
      <PageHeader
        title={t('settings.title')}
        explanation={t('settings.lead')}
        action={
          isOwner && (
            <Button component={Link} to="/setting/import" variant="outlined">
              {t('settings.import')}
            </Button>
          )
        }
      />
      <OptionsToLookAt />
      <Suspense fallback={<Box sx={{ height: 36, mb: 2 }} />}>
        <SettingsSearch fields={fields.data ?? NO_FIELDS} />
      </Suspense>
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
        {data !== undefined && fields.data !== undefined ? (
          <Suspense fallback={<Loading />}>
            <TabBody key={tab} tab={tab} fields={fields.data} texts={data} />
          </Suspense>
        ) : failed !== undefined ? (
          <Failed
            title={t('settings.loadFailed')}
            error={failed.error}
            onRetry={() => void failed.refetch()}
          />
        ) : (
          <Loading />
        )}
      </Box>
    </>
  );
}

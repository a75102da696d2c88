import Box from '@mui/material/Box';
import Tab from '@mui/material/Tab';
import Tabs from '@mui/material/Tabs';
import { useQuery } from '@tanstack/react-query';
import { Suspense, useEffect, useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { useLocation, useSearchParams } from 'react-router';
import { Failed } from '../../shared/feedback/failed';
import { lazyPart } from '../../shared/feedback/lazy-part';
import { Loading } from '../../shared/feedback/loading';
import { PageHeader } from '../../shared/page/page-header';
import { isRoot, useCurrentUser } from '../../api/current-user';
import { optionsQuery, optionsToReadQuery, type OptionTexts } from './api';
import { AboutInstance } from './about-instance';
import { sectionsOf } from './catalogue';
import { TABS, type TabId } from './option-field-types';
import { CleanLogs } from './clean-logs';
import { OptionSection } from './option-section';
import { OptionsToLookAt } from './options-to-look-at';
import { PriceTexts } from './price-texts';
import { SECTION_COMPONENTS } from './provider-sections';
import { sectionAnchor, SectionIndex } from './section-index';

const PriceSection = lazyPart(async () => (await import('./price-section')).PriceSection);

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
          <TabBody key={tab} tab={tab} texts={data} />
        ) : isError ? (
          <Failed title={t('settings.loadFailed')} error={error} onRetry={() => void refetch()} />
        ) : (
          <Loading />
        )}
      </Box>
    </>
  );
}

const NOTHING: ReadonlySet<string> = new Set();

/** A tab of more sections than this gets an index. */
const MANY_SECTIONS = 5;

function TabBody({ tab, texts }: { tab: TabId; texts: OptionTexts }) {
  const sections = useMemo(() => sectionsOf(tab), [tab]);
  const isOwner = isRoot(useCurrentUser());
  const { data: toRead = NOTHING } = useQuery(optionsToReadQuery);
  const { hash } = useLocation();
  // The address may name a section, and sections exist only now.
  useEffect(() => {
    if (hash !== '') document.getElementById(hash.slice(1))?.scrollIntoView();
  }, [hash]);
  const hasPrices = tab === 'operation';
  const hasIndex = sections.length > MANY_SECTIONS;
  return (
    <Box
      sx={{
        display: 'grid',
        gap: 2.5,
        gridTemplateColumns: {
          xs: 'minmax(0, 1fr)',
          lg: hasIndex ? 'minmax(0, 1fr) 180px' : 'minmax(0, 1fr)',
        },
      }}
    >
      {hasIndex && (
        <Box sx={{ order: { lg: 1 }, display: 'grid', minWidth: 0 }}>
          <SectionIndex
            sections={[
              ...(hasPrices ? (['prices'] as const) : []),
              ...sections.map(({ section }) => section),
            ]}
          />
        </Box>
      )}
      <Box sx={{ display: 'grid', gap: 2.5, '& > *': { minWidth: 0 }, alignContent: 'start' }}>
        {hasPrices && (
          <Box id={sectionAnchor('prices')} sx={{ scrollMarginTop: 72 }}>
            {toRead.has('ModelRatio') ? (
              <PriceTexts texts={texts} />
            ) : (
              <Suspense fallback={<Loading />}>
                <PriceSection texts={texts} />
              </Suspense>
            )}
          </Box>
        )}
        {sections.map(({ section, fields }) => {
          const Own = SECTION_COMPONENTS[section] ?? OptionSection;
          return (
            <Box key={section} id={sectionAnchor(section)} sx={{ scrollMarginTop: 72 }}>
              <Own section={section} fields={fields} texts={texts} />
            </Box>
          );
        })}
        {tab === 'operation' && isOwner && <CleanLogs />}
        {tab === 'other' && <AboutInstance />}
      </Box>
    </Box>
  );
}

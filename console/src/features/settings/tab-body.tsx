import Box from '@mui/material/Box';
import { useQuery } from '@tanstack/react-query';
import { useEffect, useMemo } from 'react';
import { useLocation } from 'react-router';
import { isRoot, useCurrentUser } from '../../api/current-user';
import { AboutInstance } from './about-instance';
import { optionsToReadQuery, type OptionTexts } from './api';
import { headingsOf } from './catalogue';
import { CleanLogs } from './clean-logs';
import type { TabId } from './option-field-types';
import { PriceSection } from './price-section';
import { PriceTexts } from './price-texts';
import { SettingsCard } from './settings-card';
import { OWN_CARDS } from './provider-cards';
import { headingAnchor, HeadingIndex } from './heading-index';

const NOTHING: ReadonlySet<string> = new Set();

/** A tab of more headings than this gets an index. */
const MANY_HEADINGS = 5;

/** Settings of one tab by heading. The prices load with it: loaded later they would push the rest down. */
export function TabBody({ tab, texts }: { tab: TabId; texts: OptionTexts }) {
  const headings = useMemo(() => headingsOf(tab), [tab]);
  const isOwner = isRoot(useCurrentUser());
  const { data: toRead = NOTHING } = useQuery(optionsToReadQuery);
  const { hash } = useLocation();
  // The address may name a heading, and headings exist only now.
  useEffect(() => {
    if (hash !== '') document.getElementById(hash.slice(1))?.scrollIntoView();
  }, [hash]);
  const hasPrices = tab === 'operation';
  const hasIndex = headings.length > MANY_HEADINGS;
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
          <HeadingIndex
            headings={[
              ...(hasPrices ? (['prices'] as const) : []),
              ...headings.map(({ heading }) => heading),
            ]}
          />
        </Box>
      )}
      <Box sx={{ display: 'grid', gap: 2.5, '& > *': { minWidth: 0 }, alignContent: 'start' }}>
        {hasPrices && (
          <Box id={headingAnchor('prices')} sx={{ scrollMarginTop: 72 }}>
            {toRead.has('ModelRatio') ? <PriceTexts texts={texts} /> : <PriceSection texts={texts} />}
          </Box>
        )}
        {headings.map(({ heading, fields }) => {
          const Own = OWN_CARDS[heading] ?? SettingsCard;
          return (
            <Box key={heading} id={headingAnchor(heading)} sx={{ scrollMarginTop: 72 }}>
              <Own heading={heading} fields={fields} texts={texts} />
            </Box>
          );
        })}
        {tab === 'operation' && isOwner && <CleanLogs />}
        {tab === 'other' && <AboutInstance />}
      </Box>
    </Box>
  );
}

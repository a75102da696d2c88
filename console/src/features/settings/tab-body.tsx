import Box from '@mui/material/Box';
import { useEffect, useMemo } from 'react';
import { useLocation } from 'react-router';
import { isRoot, useCurrentUser } from '../../api/current-user';
import { AboutInstance } from './about-instance';
import type { OptionTexts } from './api';
import { headingsOf } from './option-fields';
import { CleanLogs } from './clean-logs';
import type { OptionField, TabId } from './option-field-types';
import { PricesBody } from './prices-body';
import { SettingsCard } from './settings-card';
import { OWN_CARDS } from './provider-cards';
import { headingAnchor, HeadingIndex } from './heading-index';

export { PricesBody } from './prices-body';
export { SettingsSearch } from './settings-search';

/** A tab of more headings than this gets an index. */
const MANY_HEADINGS = 5;

interface TabBodyProps {
  tab: TabId;
  /** Fields of every tab. */
  fields: readonly OptionField[];
  texts: OptionTexts;
}

/** Settings of one tab by heading. The prices load with it: loaded later they would push the rest down. */
export function TabBody({ tab, fields: every, texts }: TabBodyProps) {
  const headings = useMemo(() => headingsOf(every, tab), [every, tab]);
  const isOwner = isRoot(useCurrentUser());
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
            <PricesBody texts={texts} />
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

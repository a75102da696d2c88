import Box from '@mui/material/Box';
import Link from '@mui/material/Link';
import { useTranslation } from 'react-i18next';
import type { HeadingId } from './option-field-types';

/** The prices are no heading of options, and are found the same way. */
export type IndexedId = HeadingId | 'prices';

/** Anchor of a heading, for links. */
export function headingAnchor(heading: IndexedId): string {
  return `section-${heading}`;
}

/** Jumps to the headings of a long tab: beside them where there is room, above them in one row where there is not. */
export function HeadingIndex({ headings }: { headings: readonly IndexedId[] }) {
  const { t } = useTranslation();
  return (
    <Box
      component="nav"
      aria-label={t('settings.headings')}
      sx={{
        display: 'flex',
        flexDirection: { xs: 'row', lg: 'column' },
        gap: { xs: 2, lg: 0.75 },
        overflowX: { xs: 'auto', lg: 'visible' },
        position: { lg: 'sticky' },
        top: { lg: 80 },
        alignSelf: 'start',
        py: { xs: 0.5, lg: 0 },
        pl: { lg: 2 },
        borderLeft: { lg: 1 },
        borderColor: { lg: 'divider' },
        minWidth: 0,
      }}
    >
      {headings.map((heading) => (
        <Link
          key={heading}
          href={`#${headingAnchor(heading)}`}
          underline="hover"
          variant="body2"
          color="textSecondary"
          sx={{ whiteSpace: { xs: 'nowrap', lg: 'normal' }, py: 0.25 }}
        >
          {t(`settings.heading.${heading}`)}
        </Link>
      ))}
    </Box>
  );
}

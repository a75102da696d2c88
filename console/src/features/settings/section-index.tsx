import Box from '@mui/material/Box';
import Link from '@mui/material/Link';
import { useTranslation } from 'react-i18next';
import type { SectionId } from './option-field-types';

/** The prices are no section of options, and are found the same way. */
export type IndexedId = SectionId | 'prices';

/** Where a section begins, for links. */
export function sectionAnchor(section: IndexedId): string {
  return `section-${section}`;
}

/** Jumps to the sections of a long tab: beside them where there is room, above them in one row where there is not. */
export function SectionIndex({ sections }: { sections: readonly IndexedId[] }) {
  const { t } = useTranslation();
  return (
    <Box
      component="nav"
      aria-label={t('settings.sections')}
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
      {sections.map((section) => (
        <Link
          key={section}
          href={`#${sectionAnchor(section)}`}
          underline="hover"
          variant="body2"
          color="textSecondary"
          sx={{ whiteSpace: { xs: 'nowrap', lg: 'normal' }, py: 0.25 }}
        >
          {t(`settings.section.${section}`)}
        </Link>
      ))}
    </Box>
  );
}

import Box from '@mui/material/Box';
import { useTranslation } from 'react-i18next';
import { Section } from '../../shared/page/section';
import { Announcements, ApiAddresses, Questions } from '../../shared/panels/panels';
import { useStatus } from '../../shared/session/status';

/** What the operator has to tell: announcements, API addresses, questions. Each only where there is something. */
export function OperatorPanels() {
  const { t } = useTranslation();
  const status = useStatus();
  const announcements = status?.announcements ?? [];
  const addresses = status?.api_info ?? [];
  const faq = status?.faq ?? [];
  const count = [announcements, addresses, faq].filter(({ length }) => length > 0).length;
  if (count === 0) return null;
  return (
    <Box
      sx={{
        display: 'grid',
        gap: 2,
        alignItems: 'start',
        gridTemplateColumns: { xs: 'minmax(0, 1fr)', lg: `repeat(${count}, minmax(0, 1fr))` },
      }}
    >
      {announcements.length > 0 && (
        <Section title={t('panels.announcements')}>
          <Box sx={TALL}>
            <Announcements entries={announcements} />
          </Box>
        </Section>
      )}
      {addresses.length > 0 && (
        <Section title={t('panels.apiInfo')}>
          <Box sx={TALL}>
            <ApiAddresses entries={addresses} />
          </Box>
        </Section>
      )}
      {faq.length > 0 && (
        <Section title={t('panels.faq')}>
          <Box sx={TALL}>
            <Questions entries={faq} />
          </Box>
        </Section>
      )}
    </Box>
  );
}

const TALL = { maxHeight: 320, overflowY: 'auto', minWidth: 0 } as const;

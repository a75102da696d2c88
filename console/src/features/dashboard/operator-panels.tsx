import Box from '@mui/material/Box';
import Skeleton from '@mui/material/Skeleton';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { Failed } from '../../shared/feedback/failed';
import { Section } from '../../shared/page/section';
import { Announcements, ApiAddresses, Questions } from '../../shared/panels/panels';
import { StatusPages } from '../../shared/panels/status-pages';
import { useStatus } from '../../shared/session/status';
import { statusPagesQuery } from './api';

/** The operator's announcements, API addresses, FAQ and status pages. Panels without content are left out. */
export function OperatorPanels() {
  const { t } = useTranslation();
  const status = useStatus();
  const announcements = status?.announcements ?? [];
  const addresses = status?.api_info ?? [];
  const faq = status?.faq ?? [];
  const withPages = status?.uptime_kuma_enabled === true;
  const lists = [announcements, addresses, faq].filter(({ length }) => length > 0);
  const count = lists.length + (withPages ? 1 : 0);
  if (count === 0) return null;
  return (
    <Box
      sx={{
        display: 'grid',
        gap: 2,
        alignItems: 'start',
        gridTemplateColumns: {
          xs: 'minmax(0, 1fr)',
          lg: `repeat(${Math.min(count, 2)}, minmax(0, 1fr))`,
          xl: `repeat(${count}, minmax(0, 1fr))`,
        },
      }}
    >
      {announcements.length > 0 && (
        <Section title={t('panels.announcements')}>
          <ScrollArea>
            <Announcements entries={announcements} />
          </ScrollArea>
        </Section>
      )}
      {addresses.length > 0 && (
        <Section title={t('panels.apiInfo')}>
          <ScrollArea>
            <ApiAddresses entries={addresses} />
          </ScrollArea>
        </Section>
      )}
      {faq.length > 0 && (
        <Section title={t('panels.faq')}>
          <ScrollArea>
            <Questions entries={faq} />
          </ScrollArea>
        </Section>
      )}
      {withPages && <StatusPagesSection />}
    </Box>
  );
}

/** Asked for apart from the rest: a page that does not answer keeps nothing waiting but this. */
function StatusPagesSection() {
  const { t } = useTranslation();
  const { data, error, isError, refetch } = useQuery(statusPagesQuery);
  return (
    <Section title={t('panels.uptime')}>
      {isError ? (
        <Failed title={t('panels.uptimeFailed')} error={error} onRetry={() => void refetch()} />
      ) : data === undefined ? (
        <Skeleton height={34} />
      ) : (
        <ScrollArea>
          <StatusPages entries={data} />
        </ScrollArea>
      )}
    </Section>
  );
}

/** Scrolls longer content, by keyboard too. */
function ScrollArea({ children }: { children: ReactNode }) {
  return (
    <Box
      tabIndex={0}
      sx={{
        maxHeight: 320,
        overflowY: 'auto',
        minWidth: 0,
      }}
    >
      {children}
    </Box>
  );
}

import Box from '@mui/material/Box';
import Typography from '@mui/material/Typography';
import { useTranslation } from 'react-i18next';
import { Section } from '../../shared/page/section';
import type { OperationsStatus } from './api';

/** Which private hosts outbound calls may reach, and for whom. */
export function PrivateHostsSection({ lists }: { lists: OperationsStatus['private_hosts'] }) {
  const { t } = useTranslation();
  return (
    <Section title={t('status.privateHosts.title')} explanation={t('status.privateHosts.text')}>
      <Box component="dl" sx={{ m: 0, display: 'grid', gap: 1.5 }}>
        {lists.map(({ callers, variable, hosts, every_port: everyPort, reaches_all: reachesAll }) => (
          <Box key={callers}>
            <Typography component="dt" variant="subtitle2">
              {t(`status.privateHosts.${callers}`)}{' '}
              <Typography component="code" variant="caption" color="textSecondary">
                {variable}
              </Typography>
            </Typography>
            <Typography component="dd" variant="body2" sx={{ m: 0, overflowWrap: 'anywhere' }}>
              {hosts.length === 0 ? t('status.privateHosts.none') : hosts.join(', ')}
              {hosts.length > 0 && everyPort && ` (${t('status.privateHosts.everyPort')})`}
            </Typography>
            {reachesAll && (
              <Typography component="dd" variant="body2" sx={{ m: 0, color: 'warning.main' }}>
                {t('status.privateHosts.loopback')}
              </Typography>
            )}
          </Box>
        ))}
      </Box>
    </Section>
  );
}

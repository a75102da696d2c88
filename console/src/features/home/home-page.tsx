import ArrowForwardRounded from '@mui/icons-material/ArrowForwardRounded';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Paper from '@mui/material/Paper';
import Typography from '@mui/material/Typography';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { MONO } from '../../shared/format/mono';
import { Loading } from '../../shared/feedback/loading';
import { OperatorContent } from '../../shared/page/operator-content';
import { useCurrentUser } from '../../api/current-user';
import { firstPage, useShownModules } from '../../shared/session/modules';
import { useServerAddress, useStatus, useSystemName } from '../../shared/session/status';
import { CopyButton } from '../../shared/value/copyable';
import { homeContentQuery } from './api';

export function HomePage() {
  const { t } = useTranslation();
  const name = useSystemName();
  const { data, isPending } = useQuery(homeContentQuery);
  if (isPending) return <Loading />;
  const content = data?.trim() ?? '';
  return (
    <>
      <title>{name}</title>
      {content === '' ? <Landing /> : <OperatorContent content={content} frameTitle={t('home.frameTitle')} />}
    </>
  );
}

const FACTS = ['one', 'two', 'three'] as const;

function Landing() {
  const { t } = useTranslation();
  const name = useSystemName();
  const user = useCurrentUser();
  const modules = useShownModules();
  const status = useStatus();
  const address = `${useServerAddress()}/v1`;
  const mayRegister =
    status !== undefined && !status.self_use_mode_enabled && status.register_enabled !== false;
  return (
    <Box sx={{ maxWidth: 920, mx: 'auto', px: { xs: 2, sm: 4 }, pt: { xs: 5, sm: 11 }, pb: 6 }}>
      <Typography
        variant="h1"
        sx={{ fontSize: { xs: 32, sm: 46 }, letterSpacing: '-0.025em', lineHeight: 1.12 }}
      >
        {name}
      </Typography>
      <Typography color="textSecondary" sx={{ fontSize: { xs: 16, sm: 18 }, mt: 1.5, maxWidth: 600 }}>
        {t('home.lead')}
      </Typography>
      <Box sx={{ display: 'flex', gap: 1, mt: 3, flexWrap: 'wrap' }}>
        {user === null ? (
          <>
            <Button component={Link} to="/login" variant="contained" size="large">
              {t('home.login')}
            </Button>
            {mayRegister && (
              <Button component={Link} to="/register" variant="outlined" color="inherit" size="large">
                {t('home.register')}
              </Button>
            )}
          </>
        ) : (
          <Button
            component={Link}
            to={firstPage(modules, '/detail')}
            variant="contained"
            size="large"
            endIcon={<ArrowForwardRounded />}
          >
            {t('home.console')}
          </Button>
        )}
        {modules.page('/pricing') && (
          <Button component={Link} to="/pricing" color="inherit" size="large">
            {t('shell.link.pricing')}
          </Button>
        )}
      </Box>
      <Paper variant="outlined" sx={{ mt: 5, p: 2, pl: 2.5, display: 'flex', gap: 1, alignItems: 'center' }}>
        <Box sx={{ minWidth: 0, flex: 1 }}>
          <Typography variant="caption" color="textSecondary">
            {t('home.baseUrl')}
          </Typography>
          <Typography sx={{ fontFamily: MONO, fontSize: 15, overflowWrap: 'anywhere' }}>{address}</Typography>
          <Typography variant="body2" color="textSecondary">
            {t('home.baseUrlHelp')}
          </Typography>
        </Box>
        <CopyButton text={address} />
      </Paper>
      <Box sx={{ display: 'grid', gap: 4, gridTemplateColumns: { xs: '1fr', md: 'repeat(3, 1fr)' }, mt: 5 }}>
        {FACTS.map((fact) => (
          <Box key={fact} sx={{ borderTop: 1, borderColor: 'divider', pt: 2 }}>
            <Typography variant="h2">{t(`home.fact.${fact}.title`)}</Typography>
            <Typography color="textSecondary">{t(`home.fact.${fact}.text`)}</Typography>
          </Box>
        ))}
      </Box>
    </Box>
  );
}

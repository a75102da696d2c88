import Alert from '@mui/material/Alert';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Typography from '@mui/material/Typography';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { useCurrentUser } from '../../api/current-user';
import { Facts } from '../../shared/value/facts';
import type { LogLine } from './api';
import { detailsOf } from '../../shared/receipt/log-details';
import { mendsOf, ruleOf } from './refused-call';

/** Why a call failed: whose doing it was, by which rule, that it cost nothing, and where to change that. */
export function RefusedPart({ line }: { line: LogLine }) {
  const { t } = useTranslation();
  const user = useCurrentUser();
  const { error_type: type } = detailsOf(line);
  const whose = type === 'caller' || type === 'gateway' ? type : 'upstream';
  const mends = user === null ? [] : mendsOf(line, user);
  return (
    <Box component="section" aria-labelledby="call-refused">
      <Typography id="call-refused" variant="h3" sx={{ mb: 1 }}>
        {t(`logs.error.whose.${whose}`)}
      </Typography>
      <Alert
        severity="error"
        sx={{ mb: 1.5, overflowWrap: 'anywhere' }}
        action={
          mends.length === 0 ? undefined : (
            <Box sx={{ display: 'flex', gap: 1, flexWrap: 'wrap' }}>
              {mends.map(({ word, path }) => (
                <Button key={word} component={Link} to={path} color="inherit" size="small" variant="outlined">
                  {t(`logs.mend.${word}`)}
                </Button>
              ))}
            </Box>
          )
        }
      >
        {line.content}
      </Alert>
      <Facts
        facts={[
          [t('logs.error.rule'), t(`logs.rule.${ruleOf(line)}`)],
          line.quota === 0 && [t('logs.why.charged'), t('logs.error.notCharged')],
        ]}
      />
    </Box>
  );
}

import Box from '@mui/material/Box';
import Link from '@mui/material/Link';
import Typography from '@mui/material/Typography';
import { Link as RouterLink } from 'react-router';
import { useTranslation } from 'react-i18next';
import { AccountLink } from '../../shared/accounts/account-link';
import { formatSeconds } from '../../shared/format/timestamp';
import { CopyableText } from '../../shared/value/copyable';
import { Facts } from '../../shared/value/facts';
import { Quota } from '../../shared/value/quota';
import type { LogLine } from './api';
import { detailsOf } from '../../shared/receipt/log-details';
import { movedBy } from './log-event';
import { logText } from './log-text';
import { isCall } from './log.labels';
import { useLogTexts } from './use-log-texts';

/** Values of a call, each a link to the lines that have it. */
function ValueLinks({ filter, values }: { filter: 'tag' | 'end_user'; values: readonly string[] }) {
  return (
    <Box
      component="span"
      sx={{ display: 'flex', flexWrap: 'wrap', columnGap: 1.5, overflowWrap: 'anywhere' }}
    >
      {values.map((value) => (
        <Link key={value} component={RouterLink} to={`/log?${new URLSearchParams({ [filter]: value })}`}>
          {value}
        </Link>
      ))}
    </Box>
  );
}

/** All facts of the line itself. */
export function LogFacts({ line }: { line: LogLine }) {
  const { t } = useTranslation();
  const details = detailsOf(line);
  const words = useLogTexts();
  const isOfCall = isCall(line);
  const moved = isOfCall ? 0 : movedBy(line);
  const served = details.upstream_model_name;
  return (
    <Box component="section" aria-labelledby="log-facts">
      <Typography id="log-facts" variant="h3" sx={{ mb: 1 }}>
        {t('logs.drawer.facts')}
      </Typography>
      <Facts
        facts={[
          [t('logs.drawer.when'), formatSeconds(line.created_at)],
          line.content !== '' && [t('logs.drawer.content'), logText(line, words)],
          moved !== 0 && [t('logs.column.quota'), <Quota key="moved" value={moved} signed />],
          line.model_name !== '' && [
            t('logs.drawer.model'),
            <CopyableText key="model" text={line.model_name} />,
          ],
          served !== undefined && [t('logs.drawer.servedModel'), <CopyableText key="served" text={served} />],
          details.native !== undefined && [
            t('logs.drawer.api'),
            t(details.native ? 'logs.drawer.native' : 'logs.drawer.translated'),
          ],
          isOfCall && [
            t('logs.drawer.tokens'),
            t('logs.drawer.inOut', {
              prompt: line.prompt_tokens.toLocaleString('en-US'),
              completion: line.completion_tokens.toLocaleString('en-US'),
            }),
          ],
          isOfCall && [t('logs.drawer.mode'), line.is_stream ? t('logs.stream') : t('logs.plain')],
          line.token_name !== '' && [t('logs.drawer.token'), line.token_name],
          line.username !== '' && [
            t('logs.drawer.user'),
            <AccountLink key="user" id={line.user_id} name={line.username} />,
          ],
          line.channel !== 0 && [
            t('logs.drawer.channel'),
            [String(line.channel), line.channel_name].filter((part) => part !== '').join(' · '),
          ],
          line.group !== '' && [t('logs.drawer.group'), line.group],
          line.tags !== '' && [
            t('logs.drawer.tags'),
            <ValueLinks key="tags" filter="tag" values={line.tags.split(',')} />,
          ],
          line.end_user !== '' && [
            t('logs.drawer.endUser'),
            <ValueLinks key="endUser" filter="end_user" values={[line.end_user]} />,
          ],
          details.warnings !== undefined && [
            t('logs.drawer.warnings'),
            details.warnings.map(({ setting, reason }) => `${setting}: ${reason}`).join('; '),
          ],
          details.admin_info?.upstream_error !== undefined && [
            t('logs.drawer.upstreamError'),
            details.admin_info.upstream_error,
          ],
          details.request_path !== undefined && [t('logs.drawer.path'), details.request_path],
          line.request_id !== null && [
            t('logs.drawer.requestId'),
            <CopyableText key="request" text={line.request_id} />,
          ],
        ]}
      />
    </Box>
  );
}

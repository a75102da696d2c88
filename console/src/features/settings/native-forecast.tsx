import Box from '@mui/material/Box';
import Typography from '@mui/material/Typography';
import { queryOptions, useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { api, dataOf } from '../../api/client';
import { SettingsCard, type SettingsCardProps } from './settings-card';

const forecastQuery = queryOptions({
  queryKey: ['settings', 'native-forecast'],
  queryFn: ({ signal }) => dataOf(api.GET('/api/channel/native-forecast', { signal })),
});

/** Holds the place of a line, so that nothing is pushed down. */
const PENDING = '…';
/** Names of products, alike in all languages. */
const API_NAMES = {
  chat: 'Chat',
  completions: 'Completions',
  responses: 'Responses',
  messages: 'Messages',
  gemini: 'Gemini',
} as const;

/** Moves that are named; the rest is counted. */
const SHOWN = 8;

/** Calls that would go to another channel if native channels came first where they do not. */
function NativeForecast() {
  const { t } = useTranslation();
  const { data: forecast } = useQuery(forecastQuery);
  if (forecast === undefined) return <Typography variant="body2">{PENDING}</Typography>;
  const { calls, moves } = forecast;
  const named = moves.slice(0, SHOWN);
  return (
    <Box role="status" sx={{ maxWidth: 720 }}>
      {named.map((move) => (
        <Typography key={`${move.group} ${move.api} ${move.channel_id}`} variant="body2">
          {t('settings.forecast.move', {
            percent: percentOf(move),
            api: API_NAMES[move.api],
            group: move.group,
            channel: move.channel_id,
          })}
        </Typography>
      ))}
      {moves.length > named.length && (
        <Typography variant="body2">
          {t('settings.forecast.more', { count: moves.length - named.length })}
        </Typography>
      )}
      <Typography variant="body2" color="textSecondary">
        {t(`settings.forecast.${basisOf(forecast)}`, { calls: calls.toLocaleString('en-US') })}
      </Typography>
    </Box>
  );
}

/** The sentence that states which calls were counted. */
function basisOf({ calls, moves }: { calls: number; moves: readonly unknown[] }) {
  if (calls === 0) return 'idle';
  return moves.length === 0 ? 'none' : 'source';
}

/** Whole percent, 1 at least. */
const percentOf = ({ calls, of }: { calls: number; of: number }): number =>
  Math.max(1, Math.round((100 * calls) / of));

/** Settings of the choice of channels, with the calls that the switch would move. */
export function RoutingCard(props: SettingsCardProps) {
  const isKnown = 'NativeChannelsFirst' in props.texts;
  return <SettingsCard {...props} after={isKnown ? { nativeFirst: () => <NativeForecast /> } : {}} />;
}

import Box from '@mui/material/Box';
import Dialog from '@mui/material/Dialog';
import DialogContent from '@mui/material/DialogContent';
import Typography from '@mui/material/Typography';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { DialogHeading } from '../dialog/dialog-heading';
import { Empty } from '../feedback/empty';
import { Failed } from '../feedback/failed';
import { Loading } from '../feedback/loading';
import { useQuotaSettings } from '../session/status';
import { LimitBar } from './limit-bar';
import { limitAmount, valueName, zonedMoment } from './limit-texts';
import { type Limit, limitHistoryQuery, limitRightsQuery } from './limits.api';

/** Use of a limit by value, and in the periods before. */
export function LimitHistory({ limit, onClose }: { limit: Limit; onClose: () => void }) {
  const { t, i18n } = useTranslation();
  const settings = useQuotaSettings();
  const zone = useQuery(limitRightsQuery).data?.time_zone ?? 'UTC';
  const history = useQuery(limitHistoryQuery(limit.id));
  const { data } = history;
  return (
    <Dialog open onClose={onClose} fullWidth maxWidth="sm" aria-labelledby="limit-history">
      <DialogHeading
        id="limit-history"
        title={t('limits.history.title', { name: limit.name })}
        note={t('limits.history.text')}
        onClose={onClose}
      />
      <DialogContent sx={{ display: 'grid', gap: 2 }}>
        {history.isError && (
          <Failed
            title={t('limits.history.failed')}
            error={history.error}
            onRetry={() => void history.refetch()}
          />
        )}
        {data === undefined && !history.isError && <Loading />}
        {data?.uses.map((use) => (
          <Box key={use.value}>
            {limit.each && <Typography variant="subtitle2">{valueName(t, limit, use)}</Typography>}
            <LimitBar limit={limit} use={use} />
          </Box>
        ))}
        {data?.periods.length === 0 && <Empty title={t('limits.history.empty')} />}
        {data !== undefined && data.periods.length > 0 && (
          <Box component="table" sx={{ width: '100%', '& td, & th': { py: 0.5, textAlign: 'left' } }}>
            <thead>
              <tr>
                <th>{t('limits.history.start')}</th>
                <th>{t('limits.history.used')}</th>
                <th>{t('limits.history.calls')}</th>
              </tr>
            </thead>
            <tbody>
              {data.periods.map((period) => (
                <tr key={period.starts_at}>
                  <td>
                    {limit.period === 'ever'
                      ? t('limits.period.ever')
                      : zonedMoment(period.starts_at, zone, i18n.language)}
                  </td>
                  <td>{limitAmount(t, limit.measure, period.used, settings)}</td>
                  <td>{period.calls.toLocaleString('en-US')}</td>
                </tr>
              ))}
            </tbody>
          </Box>
        )}
      </DialogContent>
    </Dialog>
  );
}

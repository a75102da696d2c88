import FormControlLabel from '@mui/material/FormControlLabel';
import Switch from '@mui/material/Switch';
import { useTranslation } from 'react-i18next';
import { useCurrentUser } from '../../api/current-user';
import { storedValue, type StoredValue } from '../browser/stored';
import { useStored } from '../browser/use-stored';

type Choice = 'true' | 'false';
const places = new Map<number, StoredValue<Choice>>();

/** One place for each account, so that every switch of a page follows the others. */
function placeOf(userId: number): StoredValue<Choice> {
  let place = places.get(userId);
  if (place === undefined) {
    place = storedValue<Choice>({
      key: `show-ratios-${userId}`,
      parse: (value) => (value === 'true' || value === 'false' ? value : undefined),
      fallback: 'false',
      form: 'text',
    });
    places.set(userId, place);
  }
  return place;
}

/** The choice of this account in this browser. */
function useChoice() {
  const userId = useCurrentUser()?.id ?? 0;
  const stored = placeOf(userId);
  return { stored, shown: useStored(stored) === 'true' };
}

export const useShowsRatios = (): boolean => useChoice().shown;

/** One switch for every page: prices as ratios and amounts as quota, beside the money. */
export function RatioSwitch() {
  const { t } = useTranslation();
  const { stored, shown } = useChoice();
  return (
    <FormControlLabel
      label={t('money.showRatios')}
      sx={{ mx: 0, '& .MuiTypography-root': { fontSize: 13, whiteSpace: 'nowrap' } }}
      control={<Switch checked={shown} onChange={(_event, on) => stored.write(on ? 'true' : 'false')} />}
    />
  );
}

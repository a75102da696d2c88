import Box from '@mui/material/Box';
import Tab from '@mui/material/Tab';
import Tabs from '@mui/material/Tabs';
import { useTranslation } from 'react-i18next';
import { useSearchParams } from 'react-router';
import { Section } from '../../shared/page/section';
import type { OptionTexts } from './api';
import { PriceJson } from './price-json';
import { PriceTable } from './price-table';
import { UnsetModels } from './unset-models';

const EDITORS = [
  { id: 'visual', name: 'visual' },
  { id: 'unset_models', name: 'unset' },
  { id: 'model', name: 'model' },
] as const;

/** Prices of models: as a table, what is missing, as JSON. Three views of the same options. */
export function PriceSection({ texts }: { texts: OptionTexts }) {
  const { t } = useTranslation();
  const [search, setSearch] = useSearchParams();
  const editor = EDITORS.find((each) => each.id === search.get('prices'))?.id ?? 'visual';
  return (
    <Section title={t('settings.prices.title')} explanation={t('settings.prices.help')} flush>
      <Tabs
        value={editor}
        onChange={(_event, next: string) =>
          setSearch((previous) => {
            const changed = new URLSearchParams(previous);
            changed.set('prices', next);
            return changed;
          })
        }
        variant="scrollable"
        aria-label={t('settings.prices.tabs')}
        sx={{ px: 2.5, borderBottom: 1, borderColor: 'divider' }}
      >
        {EDITORS.map((each) => (
          <Tab
            key={each.id}
            value={each.id}
            label={t(`settings.prices.${each.name}`)}
            id={`prices-tab-${each.id}`}
            aria-controls="prices-panel"
          />
        ))}
      </Tabs>
      <Box id="prices-panel" role="tabpanel" aria-labelledby={`prices-tab-${editor}`}>
        {editor === 'visual' && <PriceTable texts={texts} />}
        {editor === 'unset_models' && <UnsetModels texts={texts} />}
        {editor === 'model' && <PriceJson texts={texts} />}
      </Box>
    </Section>
  );
}

import Alert from '@mui/material/Alert';
import Box from '@mui/material/Box';
import Tab from '@mui/material/Tab';
import Tabs from '@mui/material/Tabs';
import { useTranslation } from 'react-i18next';
import { useSearchParams } from 'react-router';
import { RatioSwitch } from '../../shared/money/ratios';
import { Section } from '../../shared/page/section';
import type { OptionTexts } from './api';
import { usePriceDraft, type PriceDraft } from './price-draft';
import { PriceDraftBar } from './price-draft-bar';
import { PriceGroups } from './price-groups';
import { PriceJson } from './price-json';
import { PriceSync } from './price-sync';
import { PriceTable } from './price-table';
import { PriceTools } from './price-tools';
import { PriceVersions } from './price-versions';
import { UnsetModels } from './unset-models';

const EDITORS = [
  { id: 'visual', name: 'visual' },
  { id: 'unset_models', name: 'unset' },
  { id: 'model', name: 'model' },
  { id: 'groups', name: 'groupsTab' },
  { id: 'tools', name: 'toolsTab' },
  { id: 'sync', name: 'syncTab' },
  { id: 'versions', name: 'versionsTab' },
] as const;
type EditorId = (typeof EDITORS)[number]['id'];

/** Prices: views of the same documents that write into one draft, published lists, and earlier versions. */
export function PriceSection({ texts }: { texts: OptionTexts }) {
  const { t } = useTranslation();
  const [search, setSearch] = useSearchParams();
  const draft = usePriceDraft(texts);
  const editor = EDITORS.find((each) => each.id === search.get('prices'))?.id ?? 'visual';
  return (
    <Box sx={{ display: 'grid', gap: 1.5, '& > *': { minWidth: 0 } }}>
      <Section title={t('prices.title')} explanation={t('prices.help')} action={<RatioSwitch />} flush>
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
          allowScrollButtonsMobile
          aria-label={t('prices.tabs')}
          sx={{ px: { sm: 2.5 }, borderBottom: 1, borderColor: 'divider' }}
        >
          {EDITORS.map((each) => (
            <Tab
              key={each.id}
              value={each.id}
              label={t(`prices.${each.name}`)}
              id={`prices-tab-${each.id}`}
              aria-controls="prices-panel"
            />
          ))}
        </Tabs>
        <Box id="prices-panel" role="tabpanel" aria-labelledby={`prices-tab-${editor}`}>
          <Editor editor={editor} stored={texts} draft={draft} />
        </Box>
      </Section>
      <PriceDraftBar stored={texts} draft={draft} />
    </Box>
  );
}

interface EditorProps {
  editor: EditorId;
  stored: OptionTexts;
  draft: PriceDraft;
}

function Editor({ editor, stored, draft }: EditorProps) {
  const { t } = useTranslation();
  if (editor === 'model') return <PriceJson draft={draft} />;
  if (editor === 'versions') return <PriceVersions />;
  if (editor === 'sync') return <PriceSync stored={stored} />;
  // A table of a document that cannot be read would lose what it cannot show.
  if (draft.faults.size > 0)
    return (
      <Alert severity="error" sx={{ m: 2.5 }}>
        {t('prices.draft.mend')}
      </Alert>
    );
  if (editor === 'groups') return <PriceGroups draft={draft} />;
  if (editor === 'tools') return <PriceTools draft={draft} />;
  if (editor === 'unset_models') return <UnsetModels draft={draft} />;
  return <PriceTable draft={draft} />;
}

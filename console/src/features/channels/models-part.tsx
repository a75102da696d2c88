import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Typography from '@mui/material/Typography';
import { useQuery } from '@tanstack/react-query';
import { useWatch, type UseFormReturn } from 'react-hook-form';
import { useTranslation } from 'react-i18next';
import { useCopy } from '../../shared/dialog/manual-copy';
import { toast } from '../../shared/feedback/toast';
import { TagField } from '../../shared/form/tag-field';
import {
  knownModelsQuery,
  typeModelsQuery,
  useFetchModels,
  type ChannelPreset,
  type ChannelType,
} from './api';
import type { ChannelValues } from './channel.schema';
import { keysIn } from './channel.types';

interface ModelsPartProps {
  form: UseFormReturn<ChannelValues>;
  type: ChannelType | undefined;
  preset: ChannelPreset | undefined;
  /** Absent for a new channel. */
  channelId: number | undefined;
}

/** The models a channel offers: typed, the usual ones of its type, or the ones that the provider lists. */
export function ModelsPart({ form, type, preset, channelId }: ModelsPartProps) {
  const { t } = useTranslation();
  const copy = useCopy();
  const known = useQuery(knownModelsQuery);
  const usual = useQuery(typeModelsQuery);
  const fetchModels = useFetchModels();
  const [typeCode, models] = useWatch({ control: form.control, name: ['type', 'models'] });
  const usualModels = preset?.models ?? usual.data?.[typeCode] ?? [];
  const put = (names: readonly string[]) =>
    form.setValue('models', [...new Set([...models, ...names])], { shouldDirty: true, shouldValidate: true });

  const fetchFromProvider = () => {
    const { key, keyUse, baseUrl, other, proxy } = form.getValues();
    const typed = key.trim();
    const firstKey = (keyUse === 'single' ? typed : keysIn(typed)[0]) ?? '';
    if (firstKey === '' && channelId === undefined) {
      form.setError('key', { message: t('channels.form.keyFirst') }, { shouldFocus: true });
      return;
    }
    const source =
      channelId !== undefined && firstKey === ''
        ? { id: channelId }
        : {
            base_url: baseUrl.trim(),
            type: Number(typeCode),
            key: firstKey,
            other: other.trim(),
            proxy: proxy.trim(),
          };
    fetchModels.mutate(source, {
      onSuccess: (names) => {
        put(names);
        if (names.length === 0) toast('info', t('channels.form.fetchedNone'));
        else toast('success', t('channels.form.fetched', { count: names.length }));
      },
    });
  };

  return (
    <Box sx={{ display: 'grid', gap: 0.75 }}>
      <TagField
        control={form.control}
        name="models"
        label={t('channels.form.models')}
        help={t('channels.form.modelsHelp')}
        placeholder={t('channels.form.modelsPlaceholder')}
        options={known.data ?? []}
        loading={known.isPending}
        duplicateText={t('channels.form.modelExists')}
        free
        mono
        required
      />
      {type?.lists_models === false && (
        <Typography variant="caption" color="text.secondary">
          {t('channels.form.noModelList', { name: type.name })}
        </Typography>
      )}
      <Box sx={{ display: 'flex', flexWrap: 'wrap', gap: 0.5 }}>
        {type?.lists_models === true && (
          <Button
            size="small"
            variant="outlined"
            color="inherit"
            loading={fetchModels.isPending}
            onClick={fetchFromProvider}
          >
            {t('channels.form.fetch')}
          </Button>
        )}
        {usualModels.length > 0 && (
          <Button size="small" variant="outlined" color="inherit" onClick={() => put(usualModels)}>
            {t('channels.form.fillType')}
          </Button>
        )}
        {models.length > 0 && (
          <>
            <Button size="small" color="inherit" onClick={() => void copy(models.join(','))}>
              {t('channels.form.copyModels')}
            </Button>
            <Button
              size="small"
              color="inherit"
              onClick={() => form.setValue('models', [], { shouldDirty: true })}
            >
              {t('channels.form.clearModels')}
            </Button>
          </>
        )}
      </Box>
    </Box>
  );
}

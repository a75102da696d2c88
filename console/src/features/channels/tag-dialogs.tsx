import Alert from '@mui/material/Alert';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Dialog from '@mui/material/Dialog';
import DialogActions from '@mui/material/DialogActions';
import DialogContent from '@mui/material/DialogContent';
import DialogTitle from '@mui/material/DialogTitle';
import Typography from '@mui/material/Typography';
import { zodResolver } from '@hookform/resolvers/zod';
import { useQuery } from '@tanstack/react-query';
import { useMemo, useState } from 'react';
import { useForm } from 'react-hook-form';
import { useTranslation } from 'react-i18next';
import * as z from 'zod/mini';
import { FailureAlert } from '../../shared/feedback/failure-alert';
import { joinList } from '../../shared/format/lists';
import { isJsonObjectOrEmpty } from '../../shared/format/json';
import { toast } from '../../shared/feedback/toast';
import { useErrorText } from '../../shared/feedback/use-error-text';
import { JsonField } from '../../shared/form/json-field';
import { TagField } from '../../shared/form/tag-field';
import { TextField } from '../../shared/form/text-field';
import { groupsQuery } from '../../shared/session/reference-lists';
import { knownModelsQuery, useEditTag, useTagChannels } from './api';

interface BatchTagDialogProps {
  ids: readonly number[];
  open: boolean;
  onClose: () => void;
  onDone: () => void;
}

/** Gives several channels one tag. */
export function BatchTagDialog({ ids, open, onClose, onDone }: BatchTagDialogProps) {
  const { t } = useTranslation();
  const errorText = useErrorText();
  const tagChannels = useTagChannels();
  const schema = useMemo(
    () =>
      z.object({
        tag: z.string().check(z.refine((text) => text.trim() !== '', t('channels.batch.tagRequired'))),
      }),
    [t],
  );
  const form = useForm({ resolver: zodResolver(schema), defaultValues: { tag: '' } });
  const submit = form.handleSubmit(async ({ tag }) => {
    try {
      const count = await tagChannels.mutateAsync({ ids: [...ids], tag: tag.trim() });
      toast('success', t('channels.done.tagged', { count }));
      form.reset();
      onDone();
    } catch (error) {
      form.setError('root', { message: errorText(error) });
    }
  });
  return (
    <Dialog open={open} onClose={onClose} fullWidth maxWidth="xs" aria-labelledby="batch-tag">
      <Box component="form" noValidate onSubmit={(event) => void submit(event)}>
        <DialogTitle id="batch-tag">{t('channels.batch.tagTitle', { count: ids.length })}</DialogTitle>
        <DialogContent>
          <TextField
            control={form.control}
            name="tag"
            label={t('channels.form.tag')}
            help={t('channels.batch.tagHelp')}
            autoFocus
          />
          <FailureAlert failure={form.formState.errors.root?.message} sx={{ mt: 2 }} />
        </DialogContent>
        <DialogActions>
          <Button color="inherit" onClick={onClose}>
            {t('common.cancel')}
          </Button>
          <Button type="submit" variant="contained" loading={form.formState.isSubmitting}>
            {t('channels.batch.tag')}
          </Button>
        </DialogActions>
      </Box>
    </Dialog>
  );
}

/** Edits every channel of a tag at once; what stays empty stays as it is. */
export function TagEditDialog({ tag, onClose }: { tag: string | null; onClose: () => void }) {
  return (
    <Dialog open={tag !== null} onClose={onClose} fullWidth maxWidth="sm" aria-labelledby="tag-edit">
      {tag !== null && <TagEditForm tag={tag} onClose={onClose} />}
    </Dialog>
  );
}

function TagEditForm({ tag, onClose }: { tag: string; onClose: () => void }) {
  const { t } = useTranslation();
  const errorText = useErrorText();
  const editTag = useEditTag({ inline: true });
  const models = useQuery(knownModelsQuery);
  const groups = useQuery(groupsQuery);
  const [nothing, setNothing] = useState(false);
  const schema = useMemo(
    () =>
      z.object({
        newTag: z.string(),
        models: z.array(z.string()),
        groups: z.array(z.string()),
        mapping: z.string().check(z.refine(isJsonObjectOrEmpty, t('channels.error.mapping'))),
      }),
    [t],
  );
  const form = useForm({
    resolver: zodResolver(schema),
    defaultValues: { newTag: tag, models: new Array<string>(), groups: new Array<string>(), mapping: '' },
  });
  const submit = form.handleSubmit(async (values) => {
    const renamed = values.newTag.trim() !== tag;
    const unchanged =
      !renamed && values.models.length === 0 && values.groups.length === 0 && values.mapping.trim() === '';
    setNothing(unchanged);
    if (unchanged) return;
    try {
      await editTag.mutateAsync({
        tag,
        ...(renamed ? { new_tag: values.newTag.trim() } : {}),
        models: joinList(values.models),
        groups: joinList(values.groups),
        model_mapping: values.mapping.trim(),
      });
      toast('success', t('channels.done.tagSaved'));
      onClose();
    } catch (error) {
      form.setError('root', { message: errorText(error) });
    }
  });
  return (
    <Box component="form" noValidate onSubmit={(event) => void submit(event)}>
      <DialogTitle id="tag-edit">
        {t('channels.tagEdit.title', { tag })}
        <Typography variant="body2" color="textSecondary" component="p">
          {t('channels.tagEdit.help')}
        </Typography>
      </DialogTitle>
      <DialogContent sx={{ display: 'grid', gap: 2.5 }}>
        <TextField
          control={form.control}
          name="newTag"
          label={t('channels.tagEdit.newTag')}
          help={t('channels.tagEdit.newTagHelp')}
        />
        <TagField
          control={form.control}
          name="models"
          label={t('channels.tagEdit.models')}
          options={models.data ?? []}
          free
          mono
        />
        <TagField
          control={form.control}
          name="groups"
          label={t('channels.tagEdit.groups')}
          options={groups.data ?? []}
          free
        />
        <JsonField
          control={form.control}
          name="mapping"
          label={t('channels.form.modelMapping')}
          help={t('channels.form.modelMappingHelp')}
          example={{ 'gpt-4o': 'gpt-4o-2024-11-20' }}
        />
        {nothing && <Alert severity="warning">{t('channels.tagEdit.nothing')}</Alert>}
        <FailureAlert failure={form.formState.errors.root?.message} sx={{ mt: 2 }} />
      </DialogContent>
      <DialogActions>
        <Button color="inherit" onClick={onClose}>
          {t('common.cancel')}
        </Button>
        <Button type="submit" variant="contained" loading={form.formState.isSubmitting}>
          {t('common.save')}
        </Button>
      </DialogActions>
    </Box>
  );
}

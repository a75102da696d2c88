import { zodResolver } from '@hookform/resolvers/zod';
import { useQuery } from '@tanstack/react-query';
import { useMemo, useState } from 'react';
import { useForm } from 'react-hook-form';
import { useTranslation } from 'react-i18next';
import * as z from 'zod/mini';
import { DialogForm } from '../../shared/dialog/dialog-form';
import { joinList } from '../../shared/format/lists';
import { isJsonObjectOrEmpty } from '../../shared/format/json';
import { toast } from '../../shared/feedback/toast';
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
  const tagChannels = useTagChannels();
  const schema = useMemo(
    () =>
      z.object({
        tag: z.string().check(z.refine((text) => text.trim() !== '', t('channels.batch.tagRequired'))),
      }),
    [t],
  );
  const form = useForm({ resolver: zodResolver(schema), defaultValues: { tag: '' } });
  return (
    <DialogForm
      open={open}
      title={t('channels.batch.tagTitle', { count: ids.length })}
      form={form}
      onSubmit={async ({ tag }) => {
        const count = await tagChannels.mutateAsync({ ids: [...ids], tag: tag.trim() });
        toast('success', t('channels.done.tagged', { count }));
        onDone();
      }}
      onClose={onClose}
      submitLabel={t('channels.batch.tag')}
    >
      <TextField
        control={form.control}
        name="tag"
        label={t('channels.form.tag')}
        help={t('channels.batch.tagHelp')}
        autoFocus
      />
    </DialogForm>
  );
}

/** Edits every channel of a tag at once; what stays empty stays as it is. Without a tag it closes. */
export function TagEditDialog({ tag, onClose }: { tag: string | null; onClose: () => void }) {
  const { t } = useTranslation();
  const editTag = useEditTag({ inline: true });
  // A dialog that closes still shows what it was about.
  const [shown, setShown] = useState(tag ?? '');
  if (tag !== null && tag !== shown) setShown(tag);
  const models = useQuery(knownModelsQuery);
  const groups = useQuery(groupsQuery);
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
    values: { newTag: shown, models: new Array<string>(), groups: new Array<string>(), mapping: '' },
  });
  return (
    <DialogForm
      open={tag !== null}
      title={t('channels.tagEdit.title', { tag: shown })}
      explanation={t('channels.tagEdit.help')}
      maxWidth="sm"
      form={form}
      onSubmit={async (values) => {
        const renamed = values.newTag.trim() !== shown;
        const change = {
          ...(renamed ? { new_tag: values.newTag.trim() } : {}),
          models: joinList(values.models),
          groups: joinList(values.groups),
          model_mapping: values.mapping.trim(),
        };
        if (Object.values(change).every((text) => text === '') && !renamed) {
          form.setError('root', { message: t('channels.tagEdit.nothing') });
          return;
        }
        await editTag.mutateAsync({ tag: shown, ...change });
        toast('success', t('channels.done.tagSaved'));
        onClose();
      }}
      onClose={onClose}
      submitLabel={t('common.save')}
    >
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
    </DialogForm>
  );
}

import AddRounded from '@mui/icons-material/AddRounded';
import DeleteOutlineRounded from '@mui/icons-material/DeleteOutlineRounded';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import FormControl from '@mui/material/FormControl';
import IconButton from '@mui/material/IconButton';
import InputLabel from '@mui/material/InputLabel';
import MenuItem from '@mui/material/MenuItem';
import TextInput from '@mui/material/TextField';
import Typography from '@mui/material/Typography';
import { useId } from 'react';
import type { FieldValues } from 'react-hook-form';
import { useTranslation } from 'react-i18next';
import { FieldFrame } from '../../shared/form/field-frame';
import { JsonField } from '../../shared/form/json-field';
import { MomentInput } from '../../shared/form/moment-input';
import { useField, type FieldProps } from '../../shared/form/use-field';
import { Announcements, ApiAddresses, Questions } from '../../shared/panels/panels';
import { StatusPages } from '../../shared/panels/status-pages';
import {
  readAddresses,
  readAnnouncements,
  readQuestions,
  readStatusPages,
} from '../../shared/panels/panel-entries';
import {
  emptyRow,
  isFaulty,
  MAX_ROWS,
  fromFieldMoment,
  readRows,
  ROW_MEMBERS,
  toFieldMoment,
  type Row,
  type RowMember,
  type RowsId,
} from './row-members';

interface RowsFieldProps<T extends FieldValues> extends FieldProps<T> {
  rows: RowsId;
}

/** A list of entries, each with its members as inputs, and what it will look like. */
export function RowsField<T extends FieldValues>({ rows, ...props }: RowsFieldProps<T>) {
  const { t } = useTranslation();
  const { id, field, error } = useField(props);
  const entries = readRows(typeof field.value === 'string' ? field.value : '');
  // A value that is no list is shown as it is, and nothing of it is lost.
  if (entries === undefined) return <JsonField {...props} />;
  const write = (next: readonly Row[]) => field.onChange(JSON.stringify(next, null, 2));
  return (
    <FieldFrame {...props} id={id} error={error}>
      <Box id={id} role="group" aria-labelledby={`${id}-label`} sx={{ display: 'grid', gap: 2.5, pt: 1 }}>
        {entries.map((entry, index) => (
          <EntryFields
            key={index}
            entry={entry}
            number={index + 1}
            members={ROW_MEMBERS[rows]}
            disabled={props.disabled === true}
            isRefused={error !== undefined}
            onChange={(changed) => write(entries.with(index, changed))}
            onRemove={() => write(entries.toSpliced(index, 1))}
          />
        ))}
        <Button
          size="small"
          variant="outlined"
          startIcon={<AddRounded />}
          disabled={props.disabled === true || entries.length >= MAX_ROWS[rows]}
          onClick={() => write([...entries, emptyRow(rows, Date.now())])}
          sx={{ justifySelf: 'start' }}
        >
          {t('settings.rows.add')}
        </Button>
        {entries.length > 0 && (
          <Box sx={{ border: 1, borderColor: 'divider', borderRadius: '8px', p: 2, minWidth: 0 }}>
            <Typography variant="overline" color="textSecondary">
              {t('settings.rows.preview')}
            </Typography>
            {rows === 'announcements' && <Announcements entries={readAnnouncements(entries)} />}
            {rows === 'apiInfo' && <ApiAddresses entries={readAddresses(entries)} />}
            {rows === 'faq' && <Questions entries={readQuestions(entries)} />}
            {rows === 'statusPages' && <StatusPages entries={readStatusPages(entries)} />}
          </Box>
        )}
      </Box>
    </FieldFrame>
  );
}

interface EntryFieldsProps {
  entry: Row;
  number: number;
  members: readonly RowMember[];
  disabled: boolean;
  /** Faulty members are marked. */
  isRefused: boolean;
  onChange: (entry: Row) => void;
  onRemove: () => void;
}

function EntryFields({ entry, number, members, disabled, isRefused, onChange, onRemove }: EntryFieldsProps) {
  const { t } = useTranslation();
  return (
    <Box
      role="group"
      aria-label={t('settings.rows.entry', { number })}
      sx={{ display: 'flex', gap: 1, alignItems: 'flex-start' }}
    >
      <Box
        sx={{
          flex: 1,
          minWidth: 0,
          display: 'grid',
          gap: 1.25,
          gridTemplateColumns: { xs: 'minmax(0, 1fr)', sm: 'repeat(2, minmax(0, 1fr))' },
        }}
      >
        {members.map((member) => (
          <MemberInput
            key={member.name}
            member={member}
            value={String(entry[member.name] ?? '')}
            isFaulty={isRefused && isFaulty(member, entry)}
            disabled={disabled}
            onChange={(value) => onChange({ ...entry, [member.name]: value })}
          />
        ))}
      </Box>
      <IconButton
        size="small"
        disabled={disabled}
        aria-label={t('settings.rows.remove', { number })}
        onClick={onRemove}
      >
        <DeleteOutlineRounded sx={{ fontSize: 18 }} />
      </IconButton>
    </Box>
  );
}

interface MemberInputProps {
  member: RowMember;
  value: string;
  isFaulty: boolean;
  disabled: boolean;
  onChange: (value: string) => void;
}

function MemberInput({ member, value, isFaulty: isMarked, disabled, onChange }: MemberInputProps) {
  const { t } = useTranslation();
  const { kind, choices = [] } = member;
  if (kind === 'moment')
    return (
      <MomentMember
        member={member}
        value={value}
        isFaulty={isMarked}
        disabled={disabled}
        onChange={onChange}
      />
    );
  // A value this console has no word for stays what it is.
  const offered = choices.length === 0 || choices.includes(value) ? choices : [...choices, value];
  return (
    <TextInput
      size="small"
      label={t(`settings.rows.member.${member.label}`)}
      value={value}
      disabled={disabled}
      error={isMarked}
      required={member.isRequired}
      select={kind === 'choice'}
      multiline={kind === 'block'}
      minRows={kind === 'block' ? 2 : undefined}
      onChange={(event) => onChange(event.target.value)}
      slotProps={{
        inputLabel: { required: false },
        // The form names the missing member, in the language of the console.
        htmlInput: { required: false, 'aria-required': member.isRequired, maxLength: member.max },
      }}
      sx={kind === 'block' ? { gridColumn: '1 / -1' } : undefined}
    >
      {offered.map((choice) => (
        <MenuItem key={choice} value={choice}>
          {t(`panels.choice.${choice}`, { defaultValue: choice })}
        </MenuItem>
      ))}
    </TextInput>
  );
}

/** A moment in the form of the console, whatever the browser's language. */
function MomentMember({ member, value, isFaulty: isMarked, disabled, onChange }: MemberInputProps) {
  const { t } = useTranslation();
  const id = useId();
  const label = t(`settings.rows.member.${member.label}`);
  return (
    <FormControl size="small" error={isMarked} disabled={disabled}>
      <InputLabel htmlFor={id} shrink>
        {label}
      </InputLabel>
      <MomentInput
        id={id}
        label={label}
        notched
        value={toFieldMoment(value)}
        inputProps={{ 'aria-required': member.isRequired }}
        onChange={(seconds) => onChange(fromFieldMoment(seconds))}
      />
    </FormControl>
  );
}

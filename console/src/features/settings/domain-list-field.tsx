import AddRounded from '@mui/icons-material/AddRounded';
import CloseRounded from '@mui/icons-material/CloseRounded';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import ButtonBase from '@mui/material/ButtonBase';
import OutlinedInput from '@mui/material/OutlinedInput';
import Typography from '@mui/material/Typography';
import { useState } from 'react';
import type { FieldValues } from 'react-hook-form';
import { useTranslation } from 'react-i18next';
import { splitList } from '../../shared/format/lists';
import { MONO } from '../../shared/format/mono';
import { FieldFrame } from '../../shared/form/field-frame';
import { useField, type FieldProps } from '../../shared/form/use-field';
import { isDomain } from './mail-domain';

/** The whitelist of mail domains: one typed at a time, several when pasted with commas; a wrong or known one is refused beside the field. */
export function DomainListField<T extends FieldValues>(props: FieldProps<T>) {
  const { t } = useTranslation();
  const { id, field, error, aria } = useField(props);
  const [typed, setTyped] = useState('');
  const [refusal, setRefusal] = useState<string>();
  const domains = Array.isArray(field.value) ? (field.value as string[]) : [];
  const shownError = refusal ?? error;

  const add = () => {
    const wanted = splitList(typed.toLowerCase().replaceAll(/\s+/g, ','));
    const wrong = wanted.find((domain) => !isDomain(domain));
    const known = wanted.find((domain) => domains.includes(domain));
    if (wanted.length === 0 || wrong !== undefined) {
      setRefusal(t('settings.domains.wrong', { domain: wrong ?? typed.trim() }));
    } else if (known !== undefined) setRefusal(t('settings.domains.known', { domain: known }));
    else {
      field.onChange([...domains, ...wanted]);
      setTyped('');
      setRefusal(undefined);
    }
  };

  return (
    <FieldFrame {...props} id={id} error={shownError}>
      <Box sx={{ display: 'flex', gap: 1 }}>
        <OutlinedInput
          id={id}
          value={typed}
          inputRef={field.ref}
          onBlur={field.onBlur}
          error={shownError !== undefined}
          disabled={props.disabled}
          autoComplete="off"
          placeholder={t('settings.domains.example')}
          inputProps={{
            ...aria,
            'aria-invalid': shownError !== undefined,
            'aria-describedby':
              shownError === undefined ? aria['aria-describedby'] : `${id}-help ${id}-error`,
            spellCheck: false,
          }}
          onChange={(event) => {
            setTyped(event.target.value);
            setRefusal(undefined);
          }}
          onKeyDown={(event) => {
            if (event.key !== 'Enter') return;
            // Enter adds what was typed; the form is saved by its button.
            event.preventDefault();
            add();
          }}
          sx={{ flex: 1, '& input': { fontFamily: MONO, fontSize: 13 } }}
        />
        <Button
          variant="outlined"
          startIcon={<AddRounded />}
          disabled={props.disabled === true || typed.trim() === ''}
          onClick={add}
        >
          {t('settings.domains.add')}
        </Button>
      </Box>
      {domains.length === 0 ? (
        <Typography variant="body2" color="textSecondary" sx={{ mt: 1 }}>
          {t('settings.domains.none')}
        </Typography>
      ) : (
        <Box
          component="ul"
          aria-label={t('settings.domains.list')}
          sx={{ display: 'flex', flexWrap: 'wrap', gap: 0.75, m: 0, mt: 1, p: 0, listStyle: 'none' }}
        >
          {domains.map((domain) => (
            <li key={domain}>
              <ButtonBase
                disabled={props.disabled}
                onClick={() => field.onChange(domains.filter((each) => each !== domain))}
                aria-label={t('settings.domains.remove', { domain })}
                sx={{
                  gap: 0.5,
                  minHeight: 26,
                  px: 1,
                  borderRadius: '6px',
                  bgcolor: 'soft.neutral',
                  fontFamily: MONO,
                  fontSize: 12.5,
                  '&:hover': { bgcolor: 'soft.fault' },
                }}
              >
                {domain}
                <CloseRounded aria-hidden sx={{ fontSize: 14 }} />
              </ButtonBase>
            </li>
          ))}
        </Box>
      )}
    </FieldFrame>
  );
}

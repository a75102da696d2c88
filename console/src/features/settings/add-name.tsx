import AddRounded from '@mui/icons-material/AddRounded';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import FormHelperText from '@mui/material/FormHelperText';
import OutlinedInput from '@mui/material/OutlinedInput';
import { useId, useState, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { MONO } from '../../shared/format/mono';
import { LIMITS } from '../../shared/form/limits';

interface AddNameProps {
  label: string;
  action: string;
  placeholder?: string;
  isTaken: (name: string) => boolean;
  onAdd: (name: string) => void;
  /** Chosen beside the name. */
  children?: ReactNode;
}

/** A new line of a table by its name; a name that is there already is refused. */
export function AddName({ label, action, placeholder = label, isTaken, onAdd, children }: AddNameProps) {
  const { t } = useTranslation();
  const id = useId();
  const [name, setName] = useState('');
  const isRefused = isTaken(name.trim());
  const add = () => {
    if (name.trim() === '' || isRefused) return;
    onAdd(name.trim());
    setName('');
  };
  return (
    <Box sx={{ px: 2.5, py: 1.5 }}>
      <Box sx={{ display: 'flex', gap: 1, flexWrap: 'wrap' }}>
        {children}
        <OutlinedInput
          size="small"
          value={name}
          error={isRefused}
          placeholder={placeholder}
          onChange={(event) => setName(event.target.value)}
          onKeyDown={(event) => {
            if (event.key !== 'Enter') return;
            event.preventDefault();
            add();
          }}
          inputProps={{
            'aria-label': label,
            'aria-describedby': isRefused ? id : undefined,
            maxLength: LIMITS.priceName,
          }}
          autoComplete="off"
          sx={{ height: 36, flex: { xs: 1, sm: '0 0 260px' }, fontFamily: MONO, fontSize: 13 }}
        />
        <Button
          size="small"
          variant="outlined"
          startIcon={<AddRounded />}
          onClick={add}
          disabled={name.trim() === '' || isRefused}
        >
          {action}
        </Button>
      </Box>
      {isRefused && (
        <FormHelperText id={id} error>
          {t('prices.twice')}
        </FormHelperText>
      )}
    </Box>
  );
}

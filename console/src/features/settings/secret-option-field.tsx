import CheckCircleOutlineRounded from '@mui/icons-material/CheckCircleOutlineRounded';
import DeleteOutlineRounded from '@mui/icons-material/DeleteOutlineRounded';
import RemoveCircleOutlineRounded from '@mui/icons-material/RemoveCircleOutlineRounded';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import { useController, type Control } from 'react-hook-form';
import { useTranslation } from 'react-i18next';
import { StatusTag } from '../../shared/feedback/status-tag';
import { SecretField } from '../../shared/form/text-field';
import type { OptionValues } from './option-values';

interface SecretOptionFieldProps {
  control: Control<OptionValues>;
  name: string;
  label: string;
  help: string | undefined;
  disabled: boolean;
  /** True when the server holds a value; it never returns the value itself. */
  isSet: boolean;
  /** True for readers who may not change it. */
  isReadOnly: boolean;
}

/** A secret is written and never read: what is typed replaces it, nothing typed leaves it, taking it away is a deliberate act. */
export function SecretOptionField({ isSet, isReadOnly, ...props }: SecretOptionFieldProps) {
  const { t } = useTranslation();
  const { field } = useController({ control: props.control, name: props.name });
  const isRemoved = field.value === null;
  const state = isRemoved ? 'removed' : isSet ? 'set' : 'unset';
  return (
    <SecretField
      {...props}
      mono
      disabled={props.disabled || isRemoved}
      placeholder={isSet && !isRemoved && !isReadOnly ? t('settings.secret.replace') : undefined}
      aside={
        <Box sx={{ display: 'flex', alignItems: 'center', gap: 1, flexShrink: 0 }}>
          <StatusTag
            tone={isRemoved ? 'warning' : isSet ? 'ok' : 'neutral'}
            icon={
              isRemoved ? (
                <DeleteOutlineRounded />
              ) : isSet ? (
                <CheckCircleOutlineRounded />
              ) : (
                <RemoveCircleOutlineRounded />
              )
            }
          >
            {t(`settings.secret.${state}`)}
          </StatusTag>
          {isSet && !isReadOnly && (
            <Button
              size="small"
              color="inherit"
              onClick={() => field.onChange(isRemoved ? '' : null)}
              aria-label={t(isRemoved ? 'settings.secret.keepNamed' : 'settings.secret.removeNamed', {
                name: props.label,
              })}
            >
              {t(isRemoved ? 'settings.secret.keep' : 'settings.secret.remove')}
            </Button>
          )}
        </Box>
      }
    />
  );
}

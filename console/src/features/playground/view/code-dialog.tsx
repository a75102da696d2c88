import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Dialog from '@mui/material/Dialog';
import DialogActions from '@mui/material/DialogActions';
import DialogContent from '@mui/material/DialogContent';
import DialogTitle from '@mui/material/DialogTitle';
import Tab from '@mui/material/Tab';
import Tabs from '@mui/material/Tabs';
import Typography from '@mui/material/Typography';
import { useId, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { useServerAddress } from '../../../shared/session/status';
import { CODE_LANGUAGES, type CodeLanguage, codeOfRequest } from '../chat/code-of-request';
import { CodeBlock } from '../text/code-block';
import { TEXT_STYLES } from '../text/text-styles';

/** Shown in place of a key: a program needs one of the account's own. */
const KEY_PLACEHOLDER = 'sk-YOUR_KEY';
const HIGHLIGHTED_AS = { curl: 'bash', python: 'python', node: 'javascript' } as const;

interface CodeDialogProps {
  body: Readonly<Record<string, unknown>>;
  onClose: () => void;
}

/** The conversation as a call of a program. */
export function CodeDialog({ body, onClose }: CodeDialogProps) {
  const { t } = useTranslation();
  const id = useId();
  const address = useServerAddress();
  const [language, setLanguage] = useState<CodeLanguage>('curl');
  return (
    <Dialog open onClose={onClose} aria-labelledby={id} maxWidth="md" fullWidth>
      <DialogTitle id={id}>{t('playground.asCode')}</DialogTitle>
      <DialogContent>
        <Typography color="textSecondary" sx={{ mb: 1 }}>
          {t('playground.codeText', { key: KEY_PLACEHOLDER })}{' '}
          <Link to="/token?edit=new" onClick={onClose}>
            {t('playground.codeToken')}
          </Link>
        </Typography>
        <Tabs
          value={language}
          onChange={(_event, next: CodeLanguage) => setLanguage(next)}
          aria-label={t('playground.codeLanguage')}
        >
          {CODE_LANGUAGES.map((each) => (
            <Tab
              key={each.id}
              value={each.id}
              label={each.name}
              id={`${id}-${each.id}`}
              aria-controls={`${id}-panel`}
            />
          ))}
        </Tabs>
        <Box role="tabpanel" id={`${id}-panel`} aria-labelledby={`${id}-${language}`} sx={TEXT_STYLES}>
          <CodeBlock
            code={codeOfRequest(language, { address, keyText: KEY_PLACEHOLDER, body })}
            language={HIGHLIGHTED_AS[language]}
            isOpen={false}
          />
        </Box>
      </DialogContent>
      <DialogActions>
        <Button color="inherit" onClick={onClose}>
          {t('common.close')}
        </Button>
      </DialogActions>
    </Dialog>
  );
}

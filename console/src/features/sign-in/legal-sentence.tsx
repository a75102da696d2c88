import Link from '@mui/material/Link';
import { useTranslation } from 'react-i18next';
import { Link as RouterLink } from 'react-router';
import type { LegalDocuments } from './legal-documents';

/** A sentence with links to the documents, which open beside the form. */
export function LegalSentence({ of: documents, said }: { of: LegalDocuments; said: 'agree' | 'byEntering' }) {
  const { t } = useTranslation();
  const [before, after = ''] = t(`legal.${said}`).split('{documents}');
  return (
    <>
      {before}
      {documents !== 'privacy' && <Document path="/user-agreement" name={t('legal.inSentence.agreement')} />}
      {documents === 'both' && t('legal.inSentence.and')}
      {documents !== 'agreement' && <Document path="/privacy-policy" name={t('legal.inSentence.privacy')} />}
      {after}
    </>
  );
}

function Document({ path, name }: { path: string; name: string }) {
  return (
    <Link component={RouterLink} to={path} target="_blank" underline="always">
      {name}
    </Link>
  );
}

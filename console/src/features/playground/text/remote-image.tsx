import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';

/** Address a browser may show as an image here; the content security policy allows no other. */
const isLoadable = (address: string): boolean => address.startsWith('https://');

/**
 * An image an answer names. It is a link until the reader asks for it: fetching it reports to its server what its address contains.
 */
export function RemoteImage({ address, name }: { address: string; name: string }) {
  const { t } = useTranslation();
  const [isShown, setShown] = useState(false);
  const label = name === '' ? address : name;
  if (isShown)
    return (
      <Box
        component="img"
        src={address}
        alt={name}
        referrerPolicy="no-referrer"
        sx={{ display: 'block', maxWidth: '100%', maxHeight: 480, borderRadius: '8px', my: 1 }}
      />
    );
  return (
    <>
      <a href={address} target="_blank" rel="noopener noreferrer nofollow">
        {label}
      </a>
      {isLoadable(address) && (
        <Button size="small" sx={{ ml: 0.5 }} onClick={() => setShown(true)}>
          {t('playground.showImage')}
        </Button>
      )}
    </>
  );
}

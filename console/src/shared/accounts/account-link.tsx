import Link from '@mui/material/Link';
import { Link as RouterLink } from 'react-router';
import { useMayOpenAccount } from './staff';

interface AccountLinkProps {
  /** 0 = no account. */
  id: number;
  /** Empty = the number stands for it. */
  name?: string;
  role?: number;
  /** Shown instead of the name. */
  text?: string;
}

/** The name of an account: a link to its page for readers who may open it, else plain text. */
export function AccountLink({ id, name = '', role, text }: AccountLinkProps) {
  const mayOpen = useMayOpenAccount(id, role);
  const shown = text ?? (name === '' ? `#${id}` : name);
  if (!mayOpen) return <span>{shown}</span>;
  return (
    <Link
      component={RouterLink}
      to={`/user/${id}`}
      // A row that opens something else has it inside.
      onClick={(event) => event.stopPropagation()}
      sx={{
        display: 'inline-block',
        minHeight: 24,
        minWidth: 24,
        lineHeight: '24px',
        maxWidth: '100%',
        overflowWrap: 'anywhere',
      }}
    >
      {shown}
    </Link>
  );
}

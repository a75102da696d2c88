import LogoutRounded from '@mui/icons-material/LogoutRounded';
import PersonOutlineRounded from '@mui/icons-material/PersonOutlineRounded';
import Avatar from '@mui/material/Avatar';
import Box from '@mui/material/Box';
import Divider from '@mui/material/Divider';
import ListItemIcon from '@mui/material/ListItemIcon';
import MenuItem from '@mui/material/MenuItem';
import Typography from '@mui/material/Typography';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { MenuButton } from '../../shared/page/menu-button';
import type { StoredUser } from '../../api/current-user';
import { useSignOut } from '../../shared/session/sign-out';

export function AccountMenu({ user }: { user: StoredUser }) {
  const { t } = useTranslation();
  const signOut = useSignOut();
  const name = user.display_name === '' ? user.username : user.display_name;
  const avatar = (
    <Avatar
      sx={{
        width: 28,
        height: 28,
        fontSize: 13,
        fontWeight: 600,
        bgcolor: 'soft.accent',
        color: 'primary.main',
      }}
    >
      {[...name][0]?.toUpperCase()}
    </Avatar>
  );
  return (
    <MenuButton label={t('shell.account', { name })} icon={avatar}>
      {(close) => [
        <Box key="who" sx={{ px: 2, py: 1, maxWidth: 240 }}>
          <Typography variant="subtitle2" noWrap>
            {name}
          </Typography>
          <Typography variant="caption" color="textSecondary" noWrap component="p">
            {user.username}
          </Typography>
        </Box>,
        <Divider key="line" sx={{ my: 0.5 }} />,
        <MenuItem key="personal" component={Link} to="/personal" onClick={close}>
          <ListItemIcon>
            <PersonOutlineRounded fontSize="small" />
          </ListItemIcon>
          {t('shell.nav.personal')}
        </MenuItem>,
        <MenuItem
          key="out"
          onClick={() => {
            close();
            signOut.mutate();
          }}
        >
          <ListItemIcon>
            <LogoutRounded fontSize="small" />
          </ListItemIcon>
          {t('shell.signOut')}
        </MenuItem>,
      ]}
    </MenuButton>
  );
}
